import TelecapModels

/// The size of a screen in counts.
public struct ScreenSize: Hashable, Sendable {
  /// Counts from left to right, at least 1.
  public let width: Int
  /// Counts from top to bottom, at least 1.
  public let height: Int

  /// A screen of this size, held to 1…1,000,000 either way.
  public init(width: Int, height: Int) {
    self.width = max(1, min(1_000_000, width))
    self.height = max(1, min(1_000_000, height))
  }

  /// The size that `1920x1080` is; nil for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0 else { return nil }
    self.init(width: width, height: height)
  }

  /// 1920 × 1080.
  public static let standard = ScreenSize(width: 1_920, height: 1_080)

  /// Where the pointer begins.
  public var centre: PointerPosition { PointerPosition(x: width / 2, y: height / 2) }

  /// The nearest place on the screen.
  public func nearest(x: Int, y: Int) -> PointerPosition {
    PointerPosition(x: max(0, min(width - 1, x)), y: max(0, min(height - 1, y)))
  }
}

/// A place on a screen: (0, 0) is the upper left corner.
public struct PointerPosition: Hashable, Sendable {
  /// Counts from the left.
  public var x: Int
  /// Counts from the top.
  public var y: Int

  /// The maximum number of counts that a pointer or a wheel goes either way: beyond every screen, and sums of it fit into an Int.
  public static let farthest = 1 << 40

  /// The place of these coordinates.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

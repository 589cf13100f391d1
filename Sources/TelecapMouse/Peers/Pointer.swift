import TelecapModels

/// The size of a screen in counts.
public struct ScreenSize: Hashable, Sendable {
  /// Counts from left to right, at least 1.
  public let width: Int
  /// Counts from top to bottom, at least 1.
  public let height: Int

  /// A screen of this size, clamped to 1…1,000,000 in both directions.
  public init(width: Int, height: Int) {
    self.width = max(1, min(1_000_000, width))
    self.height = max(1, min(1_000_000, height))
  }

  /// Parses `1920x1080`; nil for other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0 else { return nil }
    self.init(width: width, height: height)
  }

  /// 1920 × 1080.
  public static let standard = ScreenSize(width: 1_920, height: 1_080)

  /// The initial position of the pointer.
  public var centre: PointerPosition { PointerPosition(x: width / 2, y: height / 2) }

  /// The nearest position on the screen.
  public func nearest(x: Int, y: Int) -> PointerPosition {
    PointerPosition(x: max(0, min(width - 1, x)), y: max(0, min(height - 1, y)))
  }
}

/// A position on a screen: (0, 0) is the upper left corner.
public struct PointerPosition: Hashable, Sendable {
  /// Counts from the left.
  public var x: Int
  /// Counts from the top.
  public var y: Int

  /// The maximum number of counts of a pointer or a wheel in each direction: beyond every screen, and sums of it fit
  /// into an Int.
  public static let farthest = 1 << 40

  /// The position with these coordinates.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

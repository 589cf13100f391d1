/// A view on a screen, with what touch needs (touch.md; NevHaptics, Built-in behaviors).
public struct TouchView: Hashable, Sendable {
  /// The kind of a view, which decides its texture if it has none of its own.
  public enum Kind: String, Sendable, CaseIterable {
    /// Has no texture, and leaves tracing to its parent.
    case plain
    /// Has perceptible edges, and sinks under pressure.
    case button
    /// Has the scrolly texture, and scrolls under slightly more pressure.
    case scroll
  }

  /// The haptics of tracing a view.
  public enum Texture: String, Sendable, CaseIterable {
    /// No haptics.
    case none, smooth
    /// Light impacts, each after more than 10 pt.
    case lightGrain = "light-grain"
    /// Light impacts, each after more than 5 pt.
    case grainy
    /// Light and medium impacts in turn, each after more than 5 pt.
    case scrolly
    /// A light impact when the finger crosses its edge.
    case lowEdges = "low-edges"
    /// A medium impact when the finger crosses its edge.
    case highEdges = "high-edges"
  }

  /// Its name in events.
  public var name: String
  /// Its kind.
  public var kind: Kind
  /// Points from the left of its parent; for a screen's root, of the screen.
  public var x: Double
  /// Points from the top of its parent.
  public var y: Double
  /// The width, in points.
  public var width: Double
  /// The height, in points.
  public var height: Double
  /// Its own texture; nil if its kind decides. A plain view without one handles no tracing.
  public var ownTexture: Texture?
  /// The force above which a touch activates; nil to use the parent's, in the end `TouchTracer.threshold`.
  public var threshold: Double?
  /// Its children, the last in front.
  public var children: [TouchView]

  /// A view of these values.
  public init(
    _ name: String, _ kind: Kind = .plain, x: Double, y: Double, width: Double, height: Double,
    texture: Texture? = nil, threshold: Double? = nil, _ children: [TouchView] = []
  ) {
    self.name = name
    self.kind = kind
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    ownTexture = texture
    self.threshold = threshold
    self.children = children
  }

  /// The haptics of tracing it; nil if it handles no tracing.
  public var texture: Texture? {
    if let ownTexture { return ownTexture }
    return switch kind {
    case .plain: nil
    case .button: .lowEdges
    case .scroll: .scrolly
    }
  }
}

/// The views of a screen, and the scroll offset of each.
public struct ViewTree: Hashable, Sendable {
  /// The root view.
  public let root: TouchView
  /// Whether a frame is relative to its parent, which is correct; a mutant takes it as a position on the screen.
  var framesAreNested = true
  /// The offsets of scroll views, in points, by their place.
  private var offsets: [Place: Offset] = [:]

  /// A view's place: the indices of the children that lead to it from the root.
  public typealias Place = [Int]

  private struct Offset: Hashable {
    var x = 0.0
    var y = 0.0
  }

  /// A screen whose root is this view.
  public init(_ root: TouchView) { self.root = root }

  /// The view at a place; nil if there is none.
  public subscript(place: Place) -> TouchView? {
    var view = root
    for index in place {
      guard view.children.indices.contains(index) else { return nil }
      view = view.children[index]
    }
    return view
  }

  /// The place of the front view at a point of the screen; nil if there is none. A point outside a view is outside all
  /// of its children.
  public func hit(x: Double, y: Double) -> Place? { hit(root, [], x, y) }

  private func hit(_ view: TouchView, _ place: Place, _ x: Double, _ y: Double) -> Place? {
    let (inX, inY) = (x - view.x, y - view.y)
    guard inX >= 0, inX < view.width, inY >= 0, inY < view.height else { return nil }
    let offset = offsets[place] ?? Offset()
    let (fromX, fromY) = framesAreNested ? (inX, inY) : (x, y)
    for index in view.children.indices.reversed() {
      if let found = hit(view.children[index], place + [index], fromX + offset.x, fromY + offset.y) { return found }
    }
    return place
  }

  /// The responder chain of a view: the view, its parent, and so on to the root.
  public func chain(from place: Place) -> [Place] {
    (0...place.count).reversed().map { Array(place.prefix($0)) }
  }

  /// Scrolls a view by this many points.
  mutating func scroll(_ place: Place, x: Double, y: Double) {
    var offset = offsets[place] ?? Offset()
    offset.x -= x
    offset.y -= y
    guard offset.x.isFinite, offset.y.isFinite else { return }
    offsets[place] = offset
  }
}

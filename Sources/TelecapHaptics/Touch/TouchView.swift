/// A view on a screen, as far as touch is about it (touch.md; NevHaptics, Built-in behaviors).
public struct TouchView: Hashable, Sendable {
  /// What it is; decides what it feels like where it does not say.
  public enum Kind: String, Sendable, CaseIterable {
    /// Feels like nothing, and leaves tracing to what it lies in.
    case plain
    /// Has edges that are felt, and sinks as it is pressed.
    case button
    /// Feels scrolly, and scrolls when it is pressed slightly harder.
    case scroll
  }

  /// What tracing it feels like.
  public enum Texture: String, Sendable, CaseIterable {
    /// Nothing.
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

  /// Its name, by which events call it.
  public var name: String
  /// What it is.
  public var kind: Kind
  /// Points from the left of the view that it lies in; of a screen's root from the screen's.
  public var x: Double
  /// Points from its top.
  public var y: Double
  /// Points.
  public var width: Double
  /// Points.
  public var height: Double
  /// What it feels like; nil where its kind decides. One that is plain and does not say handles no tracing.
  public var ownTexture: Texture?
  /// The force above which a touch activates; nil where what it lies in decides, in the end `TouchTracer.threshold`.
  public var threshold: Double?
  /// What lies in it, the last in front.
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

  /// What tracing it feels like; nil where it handles no tracing.
  public var texture: Texture? {
    if let ownTexture { return ownTexture }
    return switch kind {
    case .plain: nil
    case .button: .lowEdges
    case .scroll: .scrolly
    }
  }
}

/// The views of a screen, and how far each has scrolled.
public struct ViewTree: Hashable, Sendable {
  /// The view that everything lies in.
  public let root: TouchView
  /// A frame counts from the view that it lies in. So it must; what traces wrongly takes it for a place on the screen.
  var framesAreNested = true
  /// How far scroll views have scrolled, in points, by their place.
  private var offsets: [Place: Offset] = [:]

  /// A view's place: the indices of the children that lead to it from the root.
  public typealias Place = [Int]

  private struct Offset: Hashable {
    var x = 0.0
    var y = 0.0
  }

  /// A screen whose root is this view.
  public init(_ root: TouchView) { self.root = root }

  /// The view at a place, nil where there is none.
  public subscript(place: Place) -> TouchView? {
    var view = root
    for index in place {
      guard view.children.indices.contains(index) else { return nil }
      view = view.children[index]
    }
    return view
  }

  /// The place of the view in front at a point of the screen; nil where there is none. A point outside a view is outside
  /// of all that lies in it.
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

  /// The responder chain of a view: it, what it lies in, and so on to the root.
  public func chain(from place: Place) -> [Place] {
    (0...place.count).reversed().map { Array(place.prefix($0)) }
  }

  /// Moves the content of a scroll view by so many points.
  mutating func scroll(_ place: Place, x: Double, y: Double) {
    var offset = offsets[place] ?? Offset()
    offset.x -= x
    offset.y -= y
    guard offset.x.isFinite, offset.y.isFinite else { return }
    offsets[place] = offset
  }
}

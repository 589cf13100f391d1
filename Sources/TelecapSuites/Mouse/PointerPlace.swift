import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording

/// The pointer that a mouse host declares before a run: `setup[PointerSaid.self]`.
enum PointerSaid: SetupOption {
  static let standard = SaidPointer()
}

/// The declared screen and start of a host; nil for undeclared ones.
struct SaidPointer: Hashable {
  var screen: ScreenSize?
  var start: PointerPosition?

  /// The key of a system file.
  static let key = ScenarioKey<FactChange>(
    "pointer", .mapping(shape), "The pointer of a mouse host, as far as it is known."
  ) { (value) throws(YAMLFileError) in
    var said = SaidPointer()
    if let screen = value["screen"] {
      said.screen = screen.text.flatMap { ScreenSize($0) }
      if said.screen == nil { throw screen.error("expected a size such as 1920x1080, found \"\(screen.text ?? "")\"") }
    }
    if let start = value["start"] {
      let place = try start.counts
      guard place.count == 2 else { throw start.error("\"start\" is [x, y]") }
      said.start = PointerPosition(x: place[0], y: place[1])
      if let screen = said.screen, screen.nearest(x: place[0], y: place[1]) != said.start {
        throw start.error("\"start\" is not on a screen of \(screen.width) × \(screen.height)")
      }
    }
    let whole = said
    return { $0[PointerSaid.self] = whole }
  }

  /// The problem with a start in a file that keeps its program.
  static func problem(with file: SystemFile) -> (path: [String], words: String)? {
    guard file.isReused, file.said[PointerSaid.self].start != nil else { return nil }
    let words =
      "the program is kept for all scenarios, and its pointer begins each where the one before left it; leave "
    return (["pointer", "start"], words + "\"start\" out")
  }

  private static let shape = YAMLShape(
    "pointer",
    [
      YAMLKey("screen", .text, "The size of the screen, such as 1920x1080; read from what it shows unless given."),
      YAMLKey("start", .list(.integer), "Where the pointer begins: [x, y]; read from what it shows unless given."),
    ])
}

/// The start of a mouse host's pointer and the edges of its screen: those that the host declares, and the others as it
/// shows them.
struct PointerPlace: Hashable {
  /// Nil where it was neither declared nor shown.
  var start: PointerPosition?
  /// The range from the left to the right edge.
  var across: ClosedRange<Int>
  /// The range from the upper to the lower edge.
  var down: ClosedRange<Int>
  /// Whether the edges are known. A pointer in a range narrower than any screen may be stopped by edges, or not move at
  /// all.
  var isKnown = true
  /// The values that were read from the host's output.
  var taken: Taken?

  /// A known screen, whose pointer starts at `start`, or in the centre.
  init(_ screen: ScreenSize, start: PointerPosition? = nil) {
    self.start = start ?? screen.centre
    (across, down) = (screen.across, screen.down)
  }

  /// The pointer of a run.
  init(of decoded: DecodedLog) {
    let log = decoded.log
    let said = log.said[PointerSaid.self]
    if let screen = said.screen, let place = said.start {
      (start, across, down) = (place, screen.across, screen.down)
      return
    }
    let deliveries = MouseDelivery.all(in: decoded)
    func origin(
      _ counts: (MouseSample) -> Int16, _ place: KeyPath<PointerPosition, Int>, _ range: ClosedRange<Int>?
    ) -> CountTrace.Origin? {
      let trace = CountTrace(log, deliveries, counts: { Int(counts($0)) }) { event in
        event.pointer?[keyPath: place]
      }
      return trace.origin(start: said.start?[keyPath: place], range: range)
    }
    let x = origin(\.deltaX, \.x, said.screen?.across)
    let y = origin(\.deltaY, \.y, said.screen?.down)
    guard let x, let y else {
      (start, across, down) = (nil, 0...0, 0...0)
      return
    }
    start = PointerPosition(x: x.start, y: y.start)
    (across, down) = (x.range, y.range)
    isKnown = x.isKnown && y.isKnown
    if isKnown { taken = Taken("pointer", words(said)) }
  }

  /// The reason why its range is unknown, in words.
  var unknownSpace: String {
    "it was seen at x \(Self.words(across)), y \(Self.words(down)); say \"pointer: {screen: WIDTHxHEIGHT}\" in the system file"
  }

  private static func words(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }

  /// The nearest position within the edges.
  func nearest(x: Int, y: Int) -> PointerPosition {
    PointerPosition(
      x: max(across.lowerBound, min(across.upperBound, x)), y: max(down.lowerBound, min(down.upperBound, y)))
  }

  private func words(_ said: SaidPointer) -> String {
    let begins = start.map { "begins at (\($0.x), \($0.y))" } ?? "was not shown"
    let edges = "from \(across.lowerBound) to \(across.upperBound) and from \(down.lowerBound) to \(down.upperBound)"
    return "taken from what it showed: \(begins), goes \(said.screen == nil ? "at most " : "")\(edges)"
  }
}

extension YAMLValue {
  /// The counts of a pointer or a wheel.
  /// - Throws: `YAMLFileError` where one is beyond `PointerPosition.farthest`.
  var counts: [Int] {
    get throws(YAMLFileError) {
      let counts = list.compactMap(\.integer)
      if let far = counts.first(where: { $0.magnitude > PointerPosition.farthest.magnitude }) {
        throw error("expected at most \(PointerPosition.farthest) counts either way, found \(far)")
      }
      return counts.map { Int($0) }
    }
  }
}

extension ScreenSize {
  /// The range from the left to the right edge.
  fileprivate var across: ClosedRange<Int> { 0...width - 1 }
  /// The range from the upper to the lower edge.
  fileprivate var down: ClosedRange<Int> { 0...height - 1 }
}

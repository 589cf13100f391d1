import TelecapConformance
import TelecapPlatform
import TelecapRecording

/// What a program has printed since the last look, gathered by the tasks that read and taken by the thread that runs the
/// scenario. Holds back what comes after a flood.
final class ProgramOutput: Sendable {
  /// A line, and when it was read, on the monotonic clock in ns.
  struct Line: Sendable {
    var time: Nanoseconds
    var text: [UInt8]
    /// Whether it may be an event: it came from where the program shows what it does.
    var isShown: Bool
    /// Where it came from.
    var source: SystemFile.Source
  }

  private struct State: Sendable {
    var lines: [Line] = []
    var bytes = 0
    /// What of each source is not whole yet: an object may go on after a `take`.
    var readers: [SystemFile.Source: FormattedLines] = [:]
  }

  /// What a line costs beside its text, in bytes: a program that prints empty ones without end fills memory too.
  static let lineCost = 64
  /// A longer line is cut.
  static let longestLine = MappingStatistics.longestLine

  private let state = Locked(State())
  private let limit: Int
  private let format: LineFormat
  private let clock: any MonotonicClock

  /// An output that holds `limit` bytes, of a program that writes like this; its lines are dated by `clock`.
  init(limit: Int, format: LineFormat = .lines, by clock: any MonotonicClock = SystemMonotonicClock.shared) {
    (self.limit, self.format, self.clock) = (limit, format, clock)
  }

  /// The program has printed a line, which is read at `time`: now, unless given.
  func add(
    _ text: some Sequence<UInt8>, isShown: Bool, from source: SystemFile.Source = .stdout, at time: Nanoseconds? = nil
  ) {
    let line = Line(time: time ?? clock.now(), text: Array(text), isShown: isShown, source: source)
    state.with { state in
      state.bytes += line.text.count + ProgramOutput.lineCost
      if state.bytes <= limit { state.lines.append(line) }
    }
  }

  /// The program has printed these bytes: all lines that end in them came at one time.
  func add(
    _ bytes: some Sequence<UInt8>, cutBy cutter: inout LineCutter, isShown: Bool, from source: SystemFile.Source
  ) {
    let time = clock.now()
    cutter.add(bytes) { add($0, isShown: isShown, from: source, at: time) }
  }

  /// Whether it has printed more than the limit since the last `take`.
  var isFlood: Bool { state.with { $0.bytes > limit } }

  /// What was printed, each event as a line, and a clean sheet. What is not whole yet comes with the next, unless this is the last.
  func take(isLast: Bool = true) -> [Line] {
    state.with { state in
      defer {
        state.lines = []
        state.bytes = 0
      }
      return read(state.lines, by: &state.readers, isLast: isLast)
    }
  }

  /// What was printed so far, each event as a line; it stays.
  var lines: [Line] {
    state.with { state in
      var readers = state.readers
      return read(state.lines, by: &readers, isLast: false)
    }
  }

  private func read(
    _ lines: [Line], by readers: inout [SystemFile.Source: FormattedLines], isLast: Bool
  ) -> [Line] {
    guard format != .lines else { return lines }
    var whole: [Line] = []
    func take(_ texts: [PrintedText], _ isShown: Bool, _ source: SystemFile.Source) {
      whole += texts.map { Line(time: $0.time, text: $0.text, isShown: isShown, source: source) }
    }
    var shown: [SystemFile.Source: Bool] = [:]
    for line in lines {
      shown[line.source] = line.isShown
      take(
        readers[line.source, default: FormattedLines(format)].add(PrintedText(line.text, at: line.time)), line.isShown,
        line.source)
    }
    for source in readers.keys {
      take(readers[source]?.finish(isLast: isLast) ?? [], shown[source] ?? true, source)
    }
    return whole.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  /// Whether a line so far holds this text.
  func holds(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    return state.with { $0.lines.contains { $0.text.holds(wanted) } }
  }

  /// The last lines so far, for an error: at most three.
  var tail: String {
    let last = state.with { $0.lines.suffix(3) }
    return last.map { String(decoding: $0.text.prefix(200), as: UTF8.self) }.joined(separator: " | ")
  }
}

/// Cuts bytes into lines.
struct LineCutter {
  private var open: [UInt8] = []

  /// Takes the next bytes; calls `body` with each whole line, without its end.
  mutating func add(_ bytes: some Sequence<UInt8>, _ body: ([UInt8]) -> Void) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if open.last == UInt8(ascii: "\r") { open.removeLast() }
        body(open)
        open.removeAll(keepingCapacity: true)
      } else if open.count < ProgramOutput.longestLine {
        open.append(byte)
      }
    }
  }

  /// What stands behind the last line end.
  mutating func finish(_ body: ([UInt8]) -> Void) {
    if !open.isEmpty { body(open) }
    open.removeAll()
  }
}

extension [UInt8] {
  fileprivate func holds(_ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    var rest = self[...]
    while let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.starts(with: wanted) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

import TelecapConformance
import TelecapPlatform
import TelecapRecording

/// The output of a program since the last `take`, filled by reading tasks and read by the scenario's thread. Drops
/// output after a flood.
final class ProgramOutput: Sendable {
  /// A line and the time at which it was read, on the monotonic clock in ns.
  struct Line: Sendable {
    var time: Nanoseconds
    var text: [UInt8]
    /// Whether it may be an event: it came from a source of the system file.
    var isShown: Bool
    /// The source.
    var source: SystemFile.Source
  }

  private struct State: Sendable {
    var lines: [Line] = []
    var bytes = 0
    /// The incomplete output of each source: an object may continue after a `take`.
    var readers: [SystemFile.Source: FormattedLines] = [:]
  }

  /// The cost of a line in addition to its text, in bytes: endless empty lines would fill memory too.
  static let lineCost = 64
  /// The length to which a longer line is cut.
  static let longestLine = MappingStatistics.longestLine

  private let state = Locked(State())
  private let limit: Int
  private let format: LineFormat
  private let clock: any MonotonicClock

  /// An output with this limit in bytes, for a program with this line format; `clock` dates its lines.
  init(limit: Int, format: LineFormat = .lines, by clock: any MonotonicClock = SystemMonotonicClock.shared) {
    (self.limit, self.format, self.clock) = (limit, format, clock)
  }

  /// Adds a line that was read at `time`, now by default.
  func add(
    _ text: some Sequence<UInt8>, isShown: Bool, from source: SystemFile.Source = .stdout, at time: Nanoseconds? = nil
  ) {
    let line = Line(time: time ?? clock.now(), text: Array(text), isShown: isShown, source: source)
    state.with { state in
      state.bytes += line.text.count + ProgramOutput.lineCost
      if state.bytes <= limit { state.lines.append(line) }
    }
  }

  /// Adds bytes: all lines that end in them have one time.
  func add(
    _ bytes: some Sequence<UInt8>, cutBy cutter: inout LineCutter, isShown: Bool, from source: SystemFile.Source
  ) {
    let time = clock.now()
    cutter.add(bytes) { add($0, isShown: isShown, from: source, at: time) }
  }

  /// Whether the output since the last `take` exceeds the limit.
  var isFlood: Bool { state.with { $0.bytes > limit } }

  /// Takes the output, each event as a line, and resets it. Incomplete output is taken next time, unless this is the
  /// last.
  func take(isLast: Bool = true) -> [Line] {
    state.with { state in
      defer {
        state.lines = []
        state.bytes = 0
      }
      return read(state.lines, by: &state.readers, isLast: isLast)
    }
  }

  /// The output so far, each event as a line, without a reset.
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

  /// Whether a line so far contains this text.
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

  /// Adds bytes; calls `body` with each complete line, without its end.
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

  /// Calls `body` with the text after the last line end.
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

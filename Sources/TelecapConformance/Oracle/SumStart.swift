import TelecapModels
import TelecapRecording
import TelecapWire

/// The initial values of a stream's sums in a run, inferred from the shown sums: a program may count from 0, or
/// continue an earlier sum.
struct SumStart {
  /// The increments and the shown sums of one key, in order.
  fileprivate struct Trace {
    var deltas: [StreamValues] = []
    var times: [Timestamp] = []
    var numbers = CountedNumbers()
    var shown: StreamValues?
    /// The first shown sum, and the minimum and maximum number of increments before it.
    var first: (after: ClosedRange<Int>, values: StreamValues)?
    /// The sums that were shown after the settle time, with the number of increments.
    var settled: [(after: Int, shown: StreamValues?)] = []
  }

  /// The traces of all keys.
  private var traces: [[UInt64]: Trace] = [:]
  private let stream: JudgedStream

  /// The initial sums other than 0 of a stream in a run, by key, and a sentence about them.
  static func find(_ stream: JudgedStream, in log: DecodedLog) -> (starts: [[UInt64]: StreamValues], taken: Taken?) {
    var reading = SumStart(stream: stream)
    reading.read(log)
    let starts = reading.traces.compactMapValues { reading.start(of: $0) }.filter { !$0.value.isOff }
    guard let one = starts.min(by: { $0.key.lexicographicallyPrecedes($1.key) }) else { return ([:], nil) }
    let words = stream.words(StreamValue(values: one.value), true)
    let others = starts.count == 1 ? "" : ", and \(starts.count - 1) more"
    return (starts, Taken(stream.rules.name, "taken from what it showed: begins at \(words)\(others)"))
  }

  private init(stream: JudgedStream) { self.stream = stream }

  private mutating func read(_ decoded: DecodedLog) {
    let log = decoded.log
    var messages = decoded.delivered[...]
    var shown = JudgedStream.Shown()
    var end = log.end
    var hasSession = false
    entries: for (index, entry) in log.entries.enumerated() {
      for message in messages.take(of: index) where message.isValid { deliver(message, log.settle) }
      guard case .event(let event) = entry.what else { continue }
      if stream.isOfClient {
        // A session resets the sums, so they are read in the first one only.
        switch event {
        case .sessionOpened where !hasSession: (hasSession, traces) = (true, [:])
        case .sessionOpened where hasSession, .sessionClosed where hasSession:
          end = entry.time
          break entries
        default: break
        }
      }
      if stream.isShown(by: event, into: &shown) { show(shown, at: entry.time, log.settle) }
    }
    for key in traces.keys { traces[key]?.settle(before: end, log.settle) }
  }

  private mutating func deliver(_ message: LoggedMessage, _ settle: Nanoseconds) {
    guard let form = stream.form(of: message.kind) else { return }
    let bytes = message.bytes.span.bytes
    let value = stream.value(in: bytes, form)
    let key = stream.keys(form).bits(in: bytes)
    var trace = traces[key] ?? Trace()
    trace.settle(before: message.time, settle)
    // A message that a receiver must drop does not count its number either.
    let isNew =
      value.values.isFinite && (value.number.map { trace.numbers.count($0, bits: stream.bits) == .new } ?? true)
    if isNew {
      trace.deltas.append(value.values)
      trace.times.append(message.time)
    }
    traces[key] = trace
  }

  private mutating func show(_ shown: JudgedStream.Shown, at time: Timestamp, _ settle: Nanoseconds) {
    var trace = traces[shown.key] ?? Trace()
    if trace.first == nil {
      let surely = trace.times.count { time.nanoseconds(since: $0) > settle }
      trace.first = (surely...trace.deltas.count, shown.value.values)
    }
    trace.shown = shown.value.values
    traces[shown.key] = trace
  }

  /// The initial values for which most shown sums are right; 0 if it is as good as another. Each value has its own.
  private func start(of trace: Trace) -> StreamValues? {
    guard let first = trace.first, first.values.count == stream.values.count else { return nil }
    return StreamValues(
      first.values.indices.map { place in
        // A sum shown before any delivery is the initial one.
        if first.after.upperBound == 0 { return first.values[place] }
        var candidates = [0, first.values[place]]
        for count in first.after.reversed() {
          candidates.append(first.values[place] - trace.deltas[..<count].reduce(0) { $0 + $1[place] })
        }
        if place < stream.ranges.count {
          candidates =
            candidates.map { clamped($0, place) } + [stream.ranges[place].lowerBound, stream.ranges[place].upperBound]
        }
        let matches = candidates.map { self.matches(trace, from: $0, place) }
        let best = matches.max() ?? 0
        return candidates[matches.firstIndex(of: best) ?? 0]
      })
  }

  /// The number of shown sums that this initial value explains, at this index.
  private func matches(_ trace: Trace, from start: Double, _ place: Int) -> Int {
    var (sum, done, count, reach) = (start, 0, 0, start.magnitude)
    for one in trace.settled {
      while done < one.after {
        sum = clamped(sum + trace.deltas[done][place], place)
        reach = max(reach, sum.magnitude)
        done += 1
      }
      let shown = one.shown.flatMap { place < $0.count ? $0[place] : nil } ?? start
      if (shown - sum).magnitude <= max(1e-6, stream.tolerance * reach) { count += 1 }
    }
    return count
  }

  private func clamped(_ value: Double, _ place: Int) -> Double {
    guard place < stream.ranges.count else { return value }
    return min(max(value, stream.ranges[place].lowerBound), stream.ranges[place].upperBound)
  }
}

extension SumStart.Trace {
  /// Stores the shown sum if the settle time ended before this time.
  fileprivate mutating func settle(before time: Timestamp, _ settle: Nanoseconds) {
    guard times.last.map({ time.nanoseconds(since: $0) > settle }) ?? true else { return }
    settled.append((deltas.count, shown))
  }
}

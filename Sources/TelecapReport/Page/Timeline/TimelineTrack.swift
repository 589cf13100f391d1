import TelecapRecording
import TelecapWire

/// One stream of one sender in one session, as curves.
public struct TimelineTrack: Sendable {
  /// Which stream of which session it is.
  struct Identity: Hashable, Sendable {
    var owner: String
    var stream: String
    var session: Int
    var key: [Double]

    /// The stream's name, with the key that identifies it among others of its message.
    var name: String {
      ([stream] + (key.isEmpty ? [] : [key.map { PlotCurve.short($0) }.joined(separator: ".")])).joined(separator: " ")
    }
  }

  /// A value as a curve.
  struct Curve: Sendable {
    let name: String
    let unit: String
    let shape: Shape
    var reduced: ReducedCurve
    /// The last number before the grid begins; nil where there is none.
    var before: Double?
    /// Whether there are numbers after the grid: the last one is valid to its end.
    var goesOn = false
    /// The range that the protocol declares.
    let range: ClosedRange<Double>?
    /// It is a part of a unit quaternion.
    var isOfQuaternion = false
    /// How it is drawn where it does not go by its place among the curves of its panel: `sent`, `delivered`, `applied`.
    var look: String?
  }

  /// How the numbers of a curve hang together.
  enum Shape: Hashable, Sendable {
    /// Each holds until the next.
    case step
    /// They are whole numbers or bits, and each holds until the next.
    case whole
    /// Each stands for itself.
    case points
    /// It grows with time, and falls where something comes.
    case saw
  }

  /// A time in which nothing came, or much less than usual.
  struct Gap: Hashable, Sendable {
    var length: Nanoseconds
    var start: Timestamp
    /// Nothing came any more, though the session went on.
    var isLast = false
    /// So many messages came in it, as far apart as pauses are.
    var messages = 0

    var end: Timestamp { start.advanced(byNanoseconds: length) }
    /// Lengths of gaps that follow one another add up to more than an Int64 holds only where the clock went back between them.
    mutating func extend(by more: Nanoseconds) { length = length.saturatingAdding(more) }

    /// How far apart they came; how long nothing came where none did.
    var interval: Nanoseconds { length / Int64(messages + 1) }
  }

  let id: Identity
  let merge: StreamRules.Merge
  /// Which way it travels.
  let direction: Direction
  /// The curves of the values.
  var values: [Curve]
  /// How long ago the newest value came, in ms.
  var age: Curve
  /// The delay of each message relative to its sender's clock, in ms; nil without a clock.
  var delay: Curve?
  /// Messages that never came, came reordered, or came again, by their numbers.
  var lost: ReducedMarks
  var reordered: ReducedMarks
  var repeated: ReducedMarks
  /// Messages that never came. A reordered one fills a gap that was counted when a newer one came.
  var lostCount: Int { max(0, lost.count - reordered.count) }
  /// Messages in which a value was no number, which a curve does not show.
  var withoutNumber: ReducedMarks
  /// Messages that came.
  private(set) var count = 0
  /// The longest times without a new value, the longest first.
  var gaps: [Gap] { noted.sorted { $0.length > $1.length } }
  /// The same by time.
  private var noted: [Gap] = []
  /// There were more of these than are kept.
  private(set) var hasForgotten = false
  /// How far apart new values came.
  private(set) var intervals = Intervals()
  private(set) var first: Timestamp?
  /// When the newest value came.
  private(set) var last: Timestamp?

  /// Where what came said nothing to be felt; nil of streams that cannot.
  private(set) var rests: FlatlineDetector?

  private var sums: [Double]
  private var tracker: SequenceTracker?
  /// The field whose number is a clock of the sender, and its tick in ns.
  private let clock: (place: Int, tick: Double)?
  private var clockStart: (time: Timestamp, stamp: Double)?
  private static let mostGaps = 256

  init(_ id: Identity, _ stream: DrawnStream, _ grid: TimeGrid) {
    self.id = id
    merge = stream.rules.merge
    direction = stream.kind.layoutDirection
    clock = stream.values.firstIndex { TimelineTrack.tick($0) != nil }.flatMap { place in
      TimelineTrack.tick(stream.values[place]).map { (place, $0) }
    }
    values = stream.values.map { field in
      Curve(
        name: field.name, unit: field.unit, shape: TimelineTrack.isWhole(field) ? .whole : .step,
        reduced: ReducedCurve(grid), range: stream.rules.range ?? field.range,
        isOfQuaternion: stream.kind.layout.unitQuaternion.contains(field.name))
    }
    let range = stream.rules.range ?? stream.values.first?.range
    let canRest = merge == .latest && stream.values.count == 1
    rests = range.flatMap { canRest && $0.lowerBound == 0 ? FlatlineDetector($0) : nil }
    sums = stream.values.map { _ in 0 }
    age = Curve(name: "age", unit: "ms", shape: .saw, reduced: ReducedCurve(grid), range: nil)
    if let clock {
      delay = Curve(
        name: stream.values[clock.place].name, unit: "ms", shape: .points, reduced: ReducedCurve(grid), range: nil)
    }
    (lost, reordered, repeated) = (ReducedMarks(grid), ReducedMarks(grid), ReducedMarks(grid))
    withoutNumber = ReducedMarks(grid)
    tracker = stream.order.map { SequenceTracker(NumberOrder(stream.rules.orderRule, bits: $0.bitCount)) }
  }

  /// Continues from the state of another one at a time: sums are kept.
  mutating func resume(_ other: TimelineTrack, at time: Timestamp) {
    for place in values.indices where other.values.indices.contains(place) {
      sums[place] = other.values[place].reduced.value(before: time) ?? 0
      values[place].before = other.values[place].reduced.value(before: time)
      values[place].goesOn = other.values[place].reduced.goesOn(after: values[place].reduced.grid.end)
    }
    clockStart = other.clockStart
  }

  /// A message came with these values and this number.
  ///
  /// - Parameters:
  ///   - numbers: those in the fields of the stream, its values first.
  ///   - arrival: what its number is among all of its sender; nil where the numbers of this stream alone say it.
  mutating func add(
    _ message: TimelineMessage, _ numbers: [Double], number: UInt64?, arrival: SequenceTracker.Arrival? = nil
  ) {
    count += 1
    if let clock { addDelay(message.time, numbers[clock.place] * clock.tick) }
    guard isNew(number, arrival, message) else { return }
    let time = message.time
    let moment = age.reduced.grid.moment(time)
    if let last {
      let gap = max(0, time.nanoseconds(since: last))
      note(Gap(length: gap, start: last))
      intervals.add(gap)
      age.add(Double(gap) / 1e6, at: moment)
    } else {
      first = time
    }
    age.add(0, at: moment)
    last = time
    rests?.add(numbers[0], at: time)
    var hasNumbers = true
    for place in values.indices {
      let number = numbers[place]
      hasNumbers = hasNumbers && number.isFinite
      if merge == .sum, values[place].shape == .step, number.isFinite {
        sums[place] += number
        values[place].add(sums[place], at: moment)
      } else {
        values[place].add(number, at: moment)
      }
    }
    if !hasNumbers { withoutNumber.add(packet: message.packet, at: time) }
  }

  /// The session went on until `end`, or the recording did.
  mutating func finish(at end: Timestamp) {
    guard let last, end > last else { return }
    let gap = end.nanoseconds(since: last)
    age.add(Double(gap) / 1e6, at: end)
    // A slow stream is not missing as soon as it would have been at its usual rate.
    if let slow = noted.last, slow.messages > 0, slow.end == last, !Incident.isPause(gap, usually: slow.interval) {
      noted[noted.count - 1].extend(by: gap)
    } else {
      note(Gap(length: gap, start: last, isLast: true))
    }
  }

  private mutating func addDelay(_ time: Timestamp, _ stamp: Double) {
    guard stamp.isFinite else { return }
    let start = clockStart ?? (time, stamp)
    clockStart = start
    delay?.add((Double(time.nanoseconds(since: start.time)) - (stamp - start.stamp)) / 1e6, at: time)
  }

  /// Whether a message of this number is newer than all before it.
  private mutating func isNew(
    _ number: UInt64?, _ known: SequenceTracker.Arrival?, _ message: TimelineMessage
  ) -> Bool {
    guard let arrival = known ?? number.flatMap({ tracker?.receive($0) }) else { return true }
    switch arrival {
    case .next: return true
    case .gap(let missing):
      lost.add(missing, packet: message.packet, at: message.time)
      return true
    case .late:
      reordered.add(packet: message.packet, at: message.time)
      return false
    case .duplicate:
      repeated.add(packet: message.packet, at: message.time)
      return false
    }
  }

  /// Keeps what may be a pause. Pauses of like length that follow one another are one slow part of the stream.
  private mutating func note(_ gap: Gap) {
    // Most are far too short, and to know what is usual takes a while.
    guard gap.length > Incident.shortest else { return }
    guard Incident.isPause(gap.length, usually: intervals.count < 16 ? 0 : intervals.usual ?? 0) else { return }
    if let before = noted.last, before.end == gap.start, !gap.isLast, before.interval / 3 < gap.length,
      gap.length / 3 < before.interval
    {
      noted[noted.count - 1].extend(by: gap.length)
      noted[noted.count - 1].messages += 1
      return
    }
    noted.append(gap)
    guard noted.count > TimelineTrack.mostGaps else { return }
    hasForgotten = true
    if let least = noted.indices.dropLast().min(by: { noted[$0].length < noted[$1].length }) { noted.remove(at: least) }
  }

  /// The same in other columns.
  func reduced(by map: GridMap) -> TimelineTrack {
    let grid = map.to
    var result = self
    result.values = values.map { $0.reduced(by: map) }
    result.age = age.reduced(by: map)
    result.delay = delay?.reduced(by: map)
    (result.lost, result.reordered) = (lost.reduced(to: grid), reordered.reduced(to: grid))
    (result.repeated, result.withoutNumber) = (repeated.reduced(to: grid), withoutNumber.reduced(to: grid))
    return result
  }

  /// A field that counts time: its tick in ns.
  static func tick(_ field: FieldRow) -> Double? {
    switch (field.valueType, field.unit) {
    case (.u32, "µs"), (.u64, "µs"), (.u32, "us"), (.u64, "us"): 1e3
    case (.u32, "ms"), (.u64, "ms"): 1e6
    case (.u64, "ns"): 1
    default: nil
    }
  }

  private static func isWhole(_ field: FieldRow) -> Bool {
    switch field.rule {
    case .bits, .codes: true
    default: false
    }
  }
}

extension TimelineTrack.Curve {
  mutating func add(_ value: Double, at time: Timestamp) { add(value, at: reduced.grid.moment(time)) }

  /// The same, where it is known already where the time lies in the grid.
  @inline(__always)
  mutating func add(_ value: Double, at moment: TimeGrid.Moment) {
    switch moment {
    case .before: if value.isFinite { before = value }
    case .column(let column): reduced.add(value, in: column)
    case .behind: return
    }
  }

  func reduced(by map: GridMap) -> Self {
    var result = self
    result.before = reduced.value(before: map.to.start) ?? before
    result.goesOn = goesOn || reduced.goesOn(after: map.to.end)
    result.reduced = reduced.reduced(by: map)
    return result
  }
}

extension FieldRow {
  /// The range that its values must lie in; nil where there is none.
  var range: ClosedRange<Double>? {
    if case .range(let range) = rule { range } else { nil }
  }
}

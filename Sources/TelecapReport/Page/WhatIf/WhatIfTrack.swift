import TelecapRecording
import TelecapWire

/// One stream in a run through a worse network: what was sent, what its receiver applied, how old that was and how far off.
public struct WhatIfTrack: Sendable {
  /// The stream.
  public let stream: DrawnStream
  /// Values that are drawn together: those of one unit.
  private struct Group: Sendable {
    /// Their places among the stream's values.
    var places: [Int]
    var unit: String
    var sent: [TimelineTrack.Curve]
    var applied: [TimelineTrack.Curve]
    var error: TimelineTrack.Curve
  }

  private var groups: [Group] = []
  private var age: TimelineTrack.Curve
  private var sums: [Double]
  private var newest: [Double] = []
  /// What is applied, and when it was sent.
  private var goesBy: (values: [Double], sentAt: Timestamp?)?
  /// How often something was sent, reached the receiver, and was applied.
  private(set) var counts = (sent: 0, applied: 0)

  /// A stream of which nothing was sent yet.
  public init(_ stream: DrawnStream, _ grid: TimeGrid) {
    self.stream = stream
    func curve(_ name: String, _ unit: String, _ shape: TimelineTrack.Shape) -> TimelineTrack.Curve {
      TimelineTrack.Curve(name: name, unit: unit, shape: shape, reduced: ReducedCurve(grid), range: nil)
    }
    age = curve("age", "ms", .saw)
    sums = stream.values.map { _ in 0 }
    for (place, field) in stream.values.enumerated() where TimelineTrack.tick(field) == nil {
      if case .bits = field.rule, stream.values.count > 1 { continue }
      let isOfQuaternion = stream.kind.layout.unitQuaternion.contains(field.name)
      let known = groups.firstIndex { group in
        group.unit == field.unit && isOfQuaternion == stream.isOfQuaternion(group.places[0])
      }
      if known == nil {
        groups.append(
          Group(places: [], unit: field.unit, sent: [], applied: [], error: curve("error", field.unit, .step)))
      }
      let group = known ?? groups.count - 1
      groups[group].places.append(place)
      groups[group].sent.append(curve("\(field.name) sent", field.unit, .step))
      groups[group].applied.append(curve("\(field.name) applied", field.unit, .step))
    }
  }

  /// A message of it was sent, with these values.
  public mutating func sent(_ values: [Double], at time: Timestamp) {
    counts.sent += 1
    if stream.rules.merge == .sum {
      for (place, value) in values.enumerated() where value.isFinite { sums[place] += value }
      newest = sums
    } else {
      newest = values
    }
    for group in groups.indices {
      for (number, place) in groups[group].places.enumerated() {
        groups[group].sent[number].add(newest[place], at: time)
      }
    }
    addError(at: time)
  }

  /// Its receiver applied these values, which were sent then.
  public mutating func applied(_ values: [Double], sentAt: Timestamp?, at time: Timestamp) {
    counts.applied += 1
    addAge(at: time)
    goesBy = (values, sentAt)
    addAge(at: time)
    guard values.count == stream.values.count else { return }
    for group in groups.indices {
      for (number, place) in groups[group].places.enumerated() {
        groups[group].applied[number].add(values[place], at: time)
      }
    }
    addError(at: time)
  }

  /// The run ended.
  public mutating func finish(at time: Timestamp) {
    addAge(at: time)
    for group in groups.indices {
      groups[group].error.goesOn = true
      for number in groups[group].applied.indices { groups[group].applied[number].goesOn = true }
    }
  }

  private mutating func addAge(at time: Timestamp) {
    guard let sentAt = goesBy?.sentAt else { return }
    age.add(Double(time.nanoseconds(since: sentAt)) / 1e6, at: time)
  }

  /// How far what is applied is from the newest that was sent.
  private mutating func addError(at time: Timestamp) {
    guard let goesBy, goesBy.values.count == stream.values.count, newest.count == stream.values.count else { return }
    for group in groups.indices {
      let squares = groups[group].places.map { place in
        (goesBy.values[place] - newest[place]) * (goesBy.values[place] - newest[place])
      }
      groups[group].error.add(squares.reduce(0, +).squareRoot(), at: time)
    }
  }

  /// The greatest error of each group, in words.
  var errors: [(name: String, value: String)] {
    groups.compactMap { group in
      guard let greatest = group.error.reduced.range?.upperBound else { return nil }
      let names = group.places.map { stream.values[$0].name }.joined(separator: " ")
      if group.unit == "m" { return ("error of \(names)", "\(PlotCurve.short(greatest * 1_000)) mm") }
      return ("error of \(names)", "\(PlotCurve.short(greatest)) \(group.unit)")
    }
  }

  /// Its panels: what was sent beside what was applied, the error, the age.
  var panels: [PlotPanel] {
    let name = "\(stream.owner.name.printable) \(stream.rules.name.printable)"
    var panels: [PlotPanel] = []
    for group in groups where group.sent.contains(where: { $0.reduced.count > 0 }) {
      // Of several values the two curves of each would hide one another.
      let curves = group.places.count == 1 ? group.applied + group.sent : group.applied
      panels.append(
        PlotPanel(
          name, about: group.places.count == 1 ? "applied, beside what was sent" : "applied", unit: group.unit, curves))
      if group.error.reduced.range.map({ $0 != 0...0 }) ?? false {
        panels.append(
          PlotPanel(name, about: "how far from the newest sent", unit: group.unit, height: 80, [group.error]))
      }
    }
    if age.reduced.count > 0 {
      panels.append(PlotPanel(name, about: "age of information", unit: "ms", height: 90, [age]))
    }
    return panels
  }
}

extension DrawnStream {
  /// Whether the value at a place is a part of a quaternion.
  fileprivate func isOfQuaternion(_ place: Int) -> Bool {
    kind.layout.unitQuaternion.contains(values[place].name)
  }

  /// The numbers of its values in a message; nil where the bytes are none of it.
  public func numbers(in bytes: RawSpan, as dialect: Dialect) -> [Double]? {
    let (found, error) = MessageDecoder.check(bytes, as: dialect)
    guard found == kind, error == nil else { return nil }
    return values.map { $0.value(in: bytes)?.number ?? .nan }
  }
}

extension FieldValue {
  fileprivate var number: Double? {
    switch self {
    case .unsigned(let value): Double(value)
    case .signed(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .text, .bytes: nil
    }
  }
}

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
    /// What was sent, of a value that stands alone: of several the two curves of each would hide one another.
    var sent: [TimelineTrack.Curve]
    var applied: [TimelineTrack.Curve]
    var error: TimelineTrack.Curve
  }

  private var groups: [Group] = []
  private var age: TimelineTrack.Curve
  /// The newest that was sent; of movements all that was.
  private var newest = StreamValues()
  /// What is applied, and when it was sent.
  private var goesBy = StreamValues()
  private var goesBySent: Timestamp?
  private var isSent = false
  private let grid: TimeGrid

  /// A stream of which nothing was sent yet.
  public init(_ stream: DrawnStream, _ grid: TimeGrid) {
    self.stream = stream
    func curve(
      _ name: String, _ unit: String, _ shape: TimelineTrack.Shape, _ range: ClosedRange<Double>? = nil
    ) -> TimelineTrack.Curve {
      TimelineTrack.Curve(name: name, unit: unit, shape: shape, reduced: ReducedCurve(grid), range: range)
    }
    age = curve("age", "ms", .saw)
    self.grid = grid
    if stream.rules.merge == .sum { newest = StreamValues(stream.values.map { _ in 0 }) }
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
      let range = stream.rules.range ?? field.range
      groups[group].sent.append(curve("\(field.name) sent", field.unit, .step, range))
      groups[group].applied.append(curve("\(field.name) applied", field.unit, .step, range))
    }
    for group in groups.indices where groups[group].places.count > 1 { groups[group].sent = [] }
  }

  /// Puts the numbers of its values in a message of its kind in the place of others.
  public func read(_ bytes: RawSpan, into numbers: inout StreamValues) { stream.read(bytes, into: &numbers) }

  /// A message of it was sent, with these values.
  public mutating func sent(_ values: StreamValues, at time: Timestamp) {
    if stream.rules.merge == .sum {
      for place in values.indices where values[place].isFinite { newest[place] += values[place] }
    } else {
      newest = values
    }
    isSent = true
    let moment = grid.moment(time)
    for group in groups.indices {
      for number in groups[group].sent.indices {
        groups[group].sent[number].add(newest[groups[group].places[number]], at: moment)
      }
    }
    addError(at: moment)
  }

  /// Its receiver applied these values, which were sent then; none where it does not show them.
  public mutating func applied(_ values: StreamValues, sentAt: Timestamp?, at time: Timestamp) {
    let moment = grid.moment(time)
    addAge(time, at: moment)
    (goesBy, goesBySent) = (values, sentAt)
    addAge(time, at: moment)
    guard values.count == stream.values.count else { return }
    for group in groups.indices {
      for number in groups[group].applied.indices {
        groups[group].applied[number].add(values[groups[group].places[number]], at: moment)
      }
    }
    addError(at: moment)
  }

  /// The run ended.
  public mutating func finish(at time: Timestamp) {
    addAge(time, at: grid.moment(time))
    for group in groups.indices {
      groups[group].error.goesOn = true
      for number in groups[group].applied.indices { groups[group].applied[number].goesOn = true }
    }
  }

  private mutating func addAge(_ time: Timestamp, at moment: TimeGrid.Moment) {
    guard let goesBySent else { return }
    age.add(Double(time.nanoseconds(since: goesBySent)) / 1e6, at: moment)
  }

  /// How far what is applied is from the newest that was sent.
  private mutating func addError(at moment: TimeGrid.Moment) {
    guard goesBy.count == stream.values.count, newest.count == goesBy.count else { return }
    for group in groups.indices {
      var squares = 0.0
      for place in groups[group].places {
        let distance = goesBy[place] - newest[place]
        squares += distance * distance
      }
      groups[group].error.add(squares.squareRoot(), at: moment)
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
    for group in groups where isSent {
      panels.append(
        PlotPanel(
          name, about: group.sent.isEmpty ? "applied" : "applied, beside what was sent", unit: group.unit,
          group.applied + group.sent))
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
}

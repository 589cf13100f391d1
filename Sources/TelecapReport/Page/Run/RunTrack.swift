import TelecapRecording
import TelecapText
import TelecapWire

/// One stream in a run through a network: what was sent and delivered, what its receiver applied, how old that was and how far off.
public struct RunTrack: Sendable {
  /// The stream.
  public let stream: DrawnStream
  /// Values that are drawn together: those of one unit.
  private struct Group: Sendable {
    /// Their places among the stream's values.
    var places: [Int]
    var unit: String
    /// The sent and the delivered values of a single value; the curves of several would hide one another.
    var sent: [TimelineTrack.Curve]
    var delivered: [TimelineTrack.Curve]
    var applied: [TimelineTrack.Curve]
    var error: TimelineTrack.Curve
  }

  private var groups: [Group] = []
  private var age: TimelineTrack.Curve
  /// The newest that was sent; of movements all that was.
  private var newest = StreamValues()
  /// All that was delivered of movements.
  private var arrived = StreamValues()
  /// The applied values, and the time at which they were sent.
  private var goesBy = StreamValues()
  private var goesBySent: Timestamp?
  private var isSent = false
  private var grid: TimeGrid

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
    if stream.rules.merge == .sum {
      newest = StreamValues(stream.values.map { _ in 0 })
      arrived = newest
    }
    for (place, field) in stream.values.enumerated() where TimelineTrack.tick(field) == nil {
      if case .bits = field.rule, stream.values.count > 1 { continue }
      let isOfQuaternion = stream.kind.layout.unitQuaternion.contains(field.name)
      let known = groups.firstIndex { group in
        group.unit == field.unit && isOfQuaternion == stream.isOfQuaternion(group.places[0])
      }
      if known == nil {
        groups.append(
          Group(
            places: [], unit: field.unit, sent: [], delivered: [], applied: [],
            error: curve("error", field.unit, .step)))
      }
      let group = known ?? groups.count - 1
      groups[group].places.append(place)
      let range = stream.rules.range ?? field.range
      groups[group].sent.append(curve("\(field.name) sent", field.unit, .step, range))
      groups[group].delivered.append(curve("\(field.name) delivered", field.unit, .points, range))
      groups[group].applied.append(curve("\(field.name) applied", field.unit, .step, range))
    }
    for group in groups.indices {
      if groups[group].places.count > 1 {
        (groups[group].sent, groups[group].delivered) = ([], [])
      } else {
        groups[group].sent[0].look = "sent"
        groups[group].delivered[0].look = "delivered"
        groups[group].applied[0].look = "applied"
      }
    }
  }

  /// Puts the numbers of its values in a message of its kind in the place of others.
  public func read(_ bytes: RawSpan, into numbers: inout StreamValues) { stream.read(bytes, into: &numbers) }

  /// A message of it was sent, with these values.
  public mutating func sent(_ values: StreamValues, at time: Timestamp) {
    take(values, into: &newest)
    isSent = true
    let moment = grid.moment(time)
    for group in groups.indices {
      for number in groups[group].sent.indices {
        groups[group].sent[number].add(newest[groups[group].places[number]], at: moment)
      }
    }
    addError(at: moment)
  }

  /// A message of it was delivered, with these values.
  public mutating func delivered(_ values: StreamValues, at time: Timestamp) {
    take(values, into: &arrived)
    let moment = grid.moment(time)
    for group in groups.indices {
      for number in groups[group].delivered.indices {
        groups[group].delivered[number].add(arrived[groups[group].places[number]], at: moment)
      }
    }
  }

  /// Values take the place of others; movements add up.
  private func take(_ values: StreamValues, into held: inout StreamValues) {
    guard stream.rules.merge == .sum else { return held = values }
    for place in values.indices where values[place].isFinite { held[place] += values[place] }
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

  /// The same in other columns.
  func reduced(by map: GridMap) -> RunTrack {
    var result = self
    result.groups = groups.map { group in
      var group = group
      group.sent = group.sent.map { $0.reduced(by: map) }
      group.delivered = group.delivered.map { $0.reduced(by: map) }
      group.applied = group.applied.map { $0.reduced(by: map) }
      group.error = group.error.reduced(by: map)
      return group
    }
    result.age = age.reduced(by: map)
    result.grid = map.to
    return result
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

  /// Its panels: the sent and applied values, the error, the age.
  var panels: [PlotPanel] {
    let name = "\(stream.owner.name.printable) \(stream.rules.name.printable)"
    var panels: [PlotPanel] = []
    for group in groups where isSent {
      panels.append(
        PlotPanel(
          name, about: group.sent.isEmpty ? "applied" : "applied, with the sent and delivered values",
          unit: group.unit, group.sent + group.delivered.filter { $0.reduced.count > 0 } + group.applied))
      if group.error.reduced.range.map({ $0 != 0...0 }) ?? false {
        panels.append(
          PlotPanel(name, about: "distance from the newest sent value", unit: group.unit, height: 80, [group.error]))
      }
    }
    if age.reduced.count > 0 {
      panels.append(
        PlotPanel(name, about: "age of information", term: Glossary.ageInRun, unit: "ms", height: 90, [age]))
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

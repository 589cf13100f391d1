import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// The events of a system: lost, delayed, duplicated, with other values, or in place of the right ones.
enum ShownMutants {
  /// Those of an end of a wire.
  static func all(of wire: Wire) -> [Sketch] {
    let part = wire.model.part.name
    var all = EventKind.all(of: part).flatMap { sketches(of: $0, wire) }
    if part == "host" { all += host }
    if part == "phone" { all += HapticMutants.all }
    return all
  }

  private static func sketches(of kind: EventKind, _ wire: Wire) -> [Sketch] {
    var all = flows(kind)
    all += Trigger.all(of: wire).filter { $0.name != kind.name }.map { lostAfter($0, kind) }
    all += kind.numbers.flatMap { numbers($0, kind) }
    return all
  }

  private static func flows(_ kind: EventKind) -> [Sketch] {
    Flow.all.filter(kind.isWrong).map { flow in
      Sketch(
        "shown/\(kind.name)/\(flow.name)", flow.kind,
        Mutation(shows: { event, memory in
          guard kind.matches(event) else { return [.show(event)] }
          memory.count += 1
          return flow.times(memory.count).map { .show(event, after: $0) }
        }))
    }
  }

  private static func lostAfter(_ trigger: Trigger, _ kind: EventKind) -> Sketch {
    Sketch.showing("\(kind.name)/lost-after-\(trigger.name)", .lost) { event, memory in
      defer { if trigger.matches(event) { memory.isArmed = true } }
      guard kind.matches(event), memory.isArmed else { return [event] }
      memory.isArmed = false
      return []
    }
  }

  /// Another number in what is applied.
  private static func numbers(_ number: EventNumber, _ kind: EventKind) -> [Sketch] {
    let place = "\(kind.name).\(number.name)"
    typealias Change = (String, Operator, @Sendable (Double) -> Double)
    let step = number.step
    var changes: [Change] = [
      ("ignored", .ignored, { _ in 0 }), ("plus-step", .step, { $0 + step }), ("minus-step", .step, { $0 - step }),
    ]
    if !number.isFlag {
      let scaled: [Change] = [("doubled", .scaled, { $0 * 2 }), ("negated", .scaled, { -$0 })]
      changes += scaled
    }
    let changed = changes.map { name, op, change in
      Sketch.showing("\(place)/\(name)", op) { event, _ in
        guard kind.matches(event), let value = number.get(event) else { return [event] }
        return [number.set(event, change(value))]
      }
    }
    return changed + [
      Sketch.showing("\(place)/previous", .late) { event, memory in
        guard kind.matches(event), let value = number.get(event) else { return [event] }
        defer { memory.values = [value] }
        return [number.set(event, memory.values.first ?? value)]
      },
      Sketch.showing("\(place)/first-kept", .ignored) { event, memory in
        guard kind.matches(event), let value = number.get(event) else { return [event] }
        if memory.values.isEmpty { memory.values = [value] }
        return [number.set(event, memory.values[0])]
      },
    ]
  }

  // MARK: - Host

  /// Messages that were dropped are applied, and applied ones dropped; commands.
  private static let host: [Sketch] = {
    let reasons: [PeerEvent.DropReason] = [.stale, .duplicate, .notFinite]
    let applied = reasons.map { reason in
      Sketch.showing("pose/\(reason.rawValue)-applied", .condition) { event, _ in
        guard case .dropped(let pose, reason) = event else { return [event] }
        return [.applied(pose)]
      }
    }
    let third = Sketch.showing("pose/third-copy-applied", .condition) { event, memory in
      switch event {
      case .applied where event.appliedPose != nil: memory.count = 0
      case .dropped(let pose, .duplicate):
        memory.count += 1
        if memory.count == 2 { return [.applied(pose)] }
      default: break
      }
      return [event]
    }
    let notFinite: [(String, @Sendable (PoseSample) -> Float)] = [
      ("x", { $0.position.x }), ("y", { $0.position.y }), ("z", { $0.position.z }), ("qx", { $0.orientation.x }),
      ("qy", { $0.orientation.y }), ("qz", { $0.orientation.z }), ("qw", { $0.orientation.w }),
    ]
    let wrong: [(String, @Sendable (Float) -> Bool)] = [("nan", { $0.isNaN }), ("infinity", { $0.isInfinite })]
    let unchecked = notFinite.flatMap { name, value in
      wrong.map { what, isIt in
        Sketch.showing("pose.\(name)/\(what)-applied", .condition) { event, _ in
          guard case .dropped(_, .notFinite) = event, let pose = event.droppedPose, isIt(value(pose)) else {
            return [event]
          }
          return [.poseApplied(pose)]
        }
      }
    }
    let commands = [
      Sketch.showing("command/unknown-obeyed", .condition) { event, _ in
        guard case .ignored(_, .cmd, .unknownCode) = event else { return [event] }
        return [event, .command(type: Cmd.recording, value: 1, changed: true)]
      },
      Sketch.showing("command/duplicate-applied", .condition) { event, _ in
        guard let command = event.appliedCommand else { return [event] }
        return [.command(type: command.type, value: command.value, changed: true)]
      },
      Sketch.showing("command/toggles", .condition) { event, memory in
        guard let command = event.appliedCommand else { return [event] }
        memory.count ^= 1
        return [.command(type: command.type, value: UInt8(memory.count), changed: true)]
      },
    ]
    return applied + [third] + unchecked + commands
  }()
}

/// A number in what a system shows.
struct EventNumber: Sendable {
  let name: String
  /// The step to the next value.
  var step = 1.0
  /// It is 1 or 0: all but 0 is set.
  var isFlag = false
  let get: @Sendable (PeerEvent) -> Double?
  let set: @Sendable (PeerEvent, Double) -> PeerEvent
}

/// A kind of what a system shows.
struct EventKind: Sendable {
  let name: String
  let matches: @Sendable (PeerEvent) -> Bool
  var numbers: [EventNumber] = []
  /// Which flows of it are wrong: a repeated state is not, and the delay of an event without a time limit is not.
  var isWrong: @Sendable (Flow) -> Bool = { _ in true }

  static func all(of part: String) -> [EventKind] {
    switch part {
    case "host": [pose, command]
    case "phone": [strength, impact, closed]
    case "mouse-host": [pointer, buttons]
    default: [refused]
    }
  }

  private static let pose = EventKind(
    name: "pose", matches: { $0.appliedPose != nil },
    numbers: [
      poseNumber("seq", 1, { Double($0.seq) }) { $0.seq = UInt16(truncatingIfNeeded: Int($1)) },
      poseNumber("timestamp", 1, { Double($0.timestampMicroseconds) }) {
        $0.timestampMicroseconds = UInt64(max(0, $1))
      },
      poseNumber("movement-start", 1, isFlag: true, { $0.movementStart ? 1 : 0 }) { $0.movementStart = $1 != 0 },
    ]
      + (0..<3).map { axis in
        poseNumber(["x", "y", "z"][axis], 0.01, { Double($0.position[axis]) }) { $0.position[axis] = Float($1) }
      }
      + (0..<4).map { axis in
        poseNumber(["qx", "qy", "qz", "qw"][axis], 0.01, { Double($0.orientation[axis]) }) {
          $0.orientation[axis] = Float($1)
        }
      })

  private static func poseNumber(
    _ name: String, _ step: Double, isFlag: Bool = false, _ get: @escaping @Sendable (PoseSample) -> Double,
    _ set: @escaping @Sendable (inout PoseSample, Double) -> Void
  ) -> EventNumber {
    EventNumber(name: name, step: step, isFlag: isFlag) { event in
      event.appliedPose.map(get)
    } set: { event, value in
      guard var pose = event.appliedPose else { return event }
      set(&pose, value)
      return .poseApplied(pose)
    }
  }

  private static let command = EventKind(
    name: "command", matches: { $0.changingCommand != nil },
    numbers: [
      EventNumber(name: "type") {
        ($0.changingCommand?.type).map { Double($0) }
      } set: { event, value in
        changed(event) { $0.type = UInt8(clamping: Int(value)) }
      },
      EventNumber(name: "value") {
        ($0.changingCommand?.value).map { Double($0) }
      } set: { event, value in
        changed(event) { $0.value = UInt8(clamping: Int(value)) }
      },
    ])

  /// The event with another command, which makes a difference as before.
  private static func changed(_ event: PeerEvent, _ change: (inout CommandSample) -> Void) -> PeerEvent {
    guard case .applied(let value) = event, var command = CommandSample(value) else { return event }
    change(&command)
    return .command(type: command.type, value: command.value, changed: value.isChange)
  }

  @Sendable private static func isWrongOfState(_ flow: Flow) -> Bool { flow.kind != .repeated || !flow.isPrompt }

  private static let closed = EventKind(
    name: "close", matches: { if case .sessionClosed = $0 { true } else { false } }, isWrong: { $0.kind != .repeated })

  private static let strength = EventKind(
    name: "strength", matches: { $0.appliedStrength != nil },
    numbers: [
      EventNumber(name: "value", step: 0.01) {
        $0.appliedStrength.map { Double($0) }
      } set: { event, value in
        event.appliedStrength == nil ? event : .hapticApplied(Float(value))
      }
    ], isWrong: isWrongOfState)
  private static let impact = EventKind(
    name: "impact", matches: { $0.impact != nil },
    numbers: [
      EventNumber(name: "weight") {
        $0.impact.flatMap { HapticImpact.allCases.firstIndex(of: $0) }.map { Double($0) }
      } set: { event, value in
        guard event.impact != nil else { return event }
        return .hapticImpact(HapticImpact.allCases[max(0, min(2, Int(value)))])
      }
    ])

  private static let pointer = EventKind(
    name: "pointer", matches: { $0.pointer != nil },
    numbers: [
      EventNumber(name: "x") {
        ($0.pointer?.x).map { Double($0) }
      } set: {
        guard let at = $0.pointer else { return $0 }
        return .pointer(PointerPosition(x: Int($1), y: at.y))
      },
      EventNumber(name: "y") {
        ($0.pointer?.y).map { Double($0) }
      } set: {
        guard let at = $0.pointer else { return $0 }
        return .pointer(PointerPosition(x: at.x, y: Int($1)))
      },
    ], isWrong: isWrongOfState)
  private static let buttons = EventKind(
    name: "buttons", matches: { $0.buttons != nil },
    numbers: [
      EventNumber(name: "bitmap") {
        $0.buttons.map { Double($0) }
      } set: {
        event, value in
        event.buttons == nil ? event : .buttons(UInt8(truncatingIfNeeded: Int(value)))
      }
    ], isWrong: isWrongOfState)
  private static let refused = EventKind(
    name: "refusal", matches: { $0.refusal != nil }, isWrong: { $0.kind == .lost })
}

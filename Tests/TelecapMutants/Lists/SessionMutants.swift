import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire

/// Sessions that begin, stay and end when they should not; timers; answers to what asks for none.
enum SessionMutants {
  /// Those of an end of a wire.
  static func all(of wire: Wire) -> [Sketch] {
    switch wire.model.part.name {
    case "host": timers(wire) + host(wire)
    case "phone": timers(wire) + phone(wire)
    default: []
    }
  }

  // MARK: - Timers

  private static func timers(_ wire: Wire) -> [Sketch] {
    func timer<Value: BinaryInteger & Sendable>(
      _ name: String, _ path: any WritableKeyPath<TeleTimers, Value> & Sendable, never: Value
    ) -> [Sketch] {
      let changes: [(String, @Sendable (Value) -> Value)] = [
        ("halved", { $0 / 2 }), ("doubled", { $0 * 2 }), ("a-tenth-less", { $0 - $0 / 10 }),
        ("half-more", { $0 + $0 / 2 }),
        ("never", { _ in never }), ("a-tenth", { $0 / 10 }),
      ]
      return changes.map { change, work in
        var mutation = Mutation()
        mutation.setup = { setup in
          let right = setup[TeleTimers.self][keyPath: path]
          setup[TeleTimers.self][keyPath: path] = work(right)
        }
        return Sketch("timer/\(name)/\(change)", .timer, mutation)
      }
    }
    let ever: Int64 = 1_000_000_000_000
    switch (wire.model.part.name, wire.carrier) {
    case ("host", .udp?):
      return timer("session", \.hostTimeout, never: ever) + timer("haptic-rate", \.hapticRate, never: 1)
    case ("host", .ble?):
      return timer("heartbeat", \.heartbeatInterval, never: ever) + timer("haptic-rate", \.hapticRate, never: 1)
    case (_, .ble?):
      return timer("session", \.phoneTimeout, never: ever) + timer("pose-rate", \.poseRate, never: 1)
    case ("host", _): return timer("hello", \.helloTimeout, never: ever) + timer("haptic-rate", \.hapticRate, never: 1)
    case (_, .udp?):
      return timer("session", \.phoneTimeout, never: ever) + timer("hello", \.helloInterval, never: ever)
        + timer("pose-rate", \.poseRate, never: 1)
    default: return timer("pose-rate", \.poseRate, never: 1)
    }
  }

  // MARK: - Host

  private static func host(_ wire: Wire) -> [Sketch] {
    let triggers = Trigger.all(of: wire)
    let noClose = triggers.filter { !["open", "close", "hello-ok"].contains($0.name) }
    var list = noClose.map { ends(after: $0, wire) } + answers(wire) + outside(wire)
    if wire.carrier == .ble {
      list += [
        Sketch("session/taken-over", .event, Mutation(receives: takenOver { $0.kind == .bleAuth && $0.isValid })),
        Sketch(
          "session/taken-over-by-right-code", .event, Mutation(receives: takenOver(byRightCode: true) { _ in true })),
        Sketch("session/taken-over-by-anything", .event, Mutation(receives: takenOver { _ in true })),
      ]
    }
    guard wire.carrier == .udp else { return list }
    list += wire.received.filter { $0 != .hello && $0 != .bye }.map { silent($0, wire) }
    list += [
      Sketch("session/hello-keeps-none", .event, keepaliveIgnored),
      Sketch("session/closed-by-any-hello", .event, Mutation(receives: takenOver { $0.kind == .hello })),
      Sketch("session/taken-over", .event, Mutation(receives: takenOver { $0.kind == .hello && $0.isValid })),
      goesOn("session/goes-on-with-another-id", .condition),
    ]
    let refreshing: [(String, @Sendable (Packet, Memory) -> Bool)] = [
      ("strangers", { $0.end != $1.client }), ("invalid", { packet, _ in !packet.isValid }),
      ("wrong-code", { packet, memory in packet.kind == .hello && !hasCode(packet, memory) }),
      ("other-session", { packet, memory in packet.kind == .hello && id(packet) != memory.sessionID }),
      ("other-version", { packet, memory in packet.kind == .hello && !packet.isValid }),
      ("wrong-bye", { packet, memory in packet.kind == .bye }), ("haptic", { packet, _ in packet.kind == .haptic }),
    ]
    list += refreshing.map { name, matches in
      Sketch(
        "session/kept-by-\(name)", .event,
        Mutation(receives: { packet, memory in
          guard memory.client != nil, matches(packet, memory) else { return [.receive(packet)] }
          return [.receive(packet), .hush(keepalive(memory))]
        }))
    }
    return list + narrow
  }

  /// Faults that occur only after many of the same messages, or only with nearly the same ones.
  private static let narrow: [Sketch] = [
    Sketch(
      "session/answers-16-hellos-a-second", .lost,
      Mutation(receives: { packet, memory in
        guard packet.kind == .hello else { return [.receive(packet)] }
        let now = Double(memory.time.nanoseconds)
        memory.values = memory.values.filter { now - $0 < 1e9 } + [now]
        return memory.values.count > 16 ? [] : [.receive(packet)]
      })),
    Sketch(
      "session/refuses-another-five-times", .lost,
      Mutation(receives: { packet, memory in
        guard packet.kind == .hello, let client = memory.client, packet.end != client else { return [.receive(packet)] }
        memory.count += 1
        return memory.count > 5 ? [] : [.receive(packet)]
      })),
    Sketch(
      "session/goes-on-with-the-next-id", .condition,
      Mutation(receives: { packet, memory in
        guard packet.kind == .hello, packet.isValid, packet.end == memory.client, id(packet) == memory.sessionID ^ 1
        else { return [.receive(packet)] }
        return [.receive(packet.with(Hello.fields.sessionID.row.with(UInt64(memory.sessionID), in: packet.bytes)))]
      })),
    Sketch(
      "session/closed-by-bye-of-0", .condition,
      Mutation(receives: { packet, memory in
        guard packet.kind == .bye, packet.end == memory.client, Bye.fields.sessionID.row.bits(in: packet.bytes) == 0
        else { return [.receive(packet)] }
        return [end(memory)]
      })),
    Sketch(
      "session/closed-by-many-gaps", .event,
      Mutation(receives: { packet, memory in
        guard packet.kind == .pose, packet.isValid, packet.end == memory.client,
          let seq = Pose.fields.seq.row.bits(in: packet.bytes)
        else { return [.receive(packet)] }
        defer { memory.number = seq }
        guard let last = memory.number, (2...32_767).contains((seq &- last) & 0xffff) else { return [.receive(packet)] }
        memory.count += 1
        return memory.count > 300 && memory.count % 25 == 0 ? [.receive(packet), end(memory)] : [.receive(packet)]
      })),
  ]

  /// HELLO of the session, from its client.
  private static func keepalive(_ memory: Memory) -> Packet {
    let message = try? Message.hello(sessionID: memory.sessionID, code: memory.setup.code)
    return Packet(message?.bytes ?? [], .udp, memory.client ?? VirtualAddresses.host, of: Tele.wire)
  }

  /// The session ends: by its BYE, over Bluetooth with its link.
  private static func end(_ memory: Memory) -> ActionBinding {
    let client = memory.client ?? VirtualAddresses.host
    if memory.setup.carrier == .ble { return .part(client) }
    return .hush(Packet(Message.bye(sessionID: memory.sessionID).bytes, memory.setup.carrier, client, of: Tele.wire))
  }

  private static func id(_ packet: Packet) -> UInt32? {
    Hello.fields.sessionID.value(in: packet.bytes.span.bytes)
  }

  private static func hasCode(_ packet: Packet, _ memory: Memory) -> Bool {
    Hello.fields.code.row.value(in: packet.bytes.span.bytes) == .text(memory.setup.code)
  }

  private static func ends(after trigger: Trigger, _ wire: Wire) -> Sketch {
    Sketch(
      "session/closed-after-\(trigger.name)", .event,
      Mutation(shows: { event, memory in
        guard trigger.matches(event), memory.client != nil else { return [.show(event)] }
        return [.show(event), end(memory)]
      }))
  }

  /// Messages of this kind do not keep the session: it ends when nothing else has come for as long as the rules say.
  private static func silent(_ kind: MessageKind, _ wire: Wire) -> Sketch {
    Sketch(
      "session/not-kept-by-\(kind.name)", .event,
      Mutation(receives: { packet, memory in
        guard packet.end == memory.client || packet.kind == .hello, packet.kind != kind else {
          return [.receive(packet)]
        }
        memory.count += 1
        let mine = memory.count
        var end = end(memory)
        if packet.kind == .hello { end = ActionBinding.hush(byeOf(packet)) }
        end.after = HostModel.timeout
        end.condition = { $0.count == mine && $0.client == packet.end }
        return [.receive(packet), end]
      }))
  }

  private static func byeOf(_ hello: Packet) -> Packet {
    Packet(Message.bye(sessionID: id(hello) ?? 0).bytes, hello.carrier, hello.end, of: Tele.wire)
  }

  /// HELLO of the client is answered, and does not keep its session.
  private static let keepaliveIgnored = Mutation(receives: { packet, memory in
    guard packet.kind == .hello, packet.isValid, packet.end == memory.client, id(packet) == memory.sessionID,
      hasCode(packet, memory)
    else { return [.receive(packet)] }
    return [.send(Packet(Message.ack(.ok).bytes, .udp, packet.end, of: Tele.wire))]
  })

  /// Any client that matches gets the session.
  private static func takenOver(
    byRightCode: Bool = false, _ matches: @escaping @Sendable (Packet) -> Bool
  ) -> @Sendable (Packet, inout Memory) -> [ActionBinding] {
    { packet, memory in
      guard memory.client != nil, matches(packet), packet.end != memory.client else { return [.receive(packet)] }
      if byRightCode, packet.bytes != Array(memory.setup.code.utf8) { return [.receive(packet)] }
      return [end(memory), .receive(packet)]
    }
  }

  /// HELLO of another session from the client is taken for the client's own.
  private static func goesOn(_ name: String, _ kind: Operator) -> Sketch {
    Sketch(
      name, kind,
      Mutation(receives: { packet, memory in
        guard packet.kind == .hello, packet.isValid, packet.end == memory.client else { return [.receive(packet)] }
        return [.receive(packet.with(Hello.fields.sessionID.row.with(UInt64(memory.sessionID), in: packet.bytes)))]
      }))
  }

  // MARK: - What is sent to whom

  /// An ACK for what is no HELLO.
  private static func answers(_ wire: Wire) -> [Sketch] {
    let carrier = wire.carrier
    @Sendable func ack(_ status: AckStatus) -> [UInt8] {
      (carrier == .tcp ? Message.ackTCP(status) : Message.ack(status)).bytes
    }
    let kinds = Tele.wire.messages.filter { kind in
      kind != .hello && kind.layout.dialects.contains(wire.dialect.name)
    }
    return kinds.map { kind in
      Sketch(
        "answer/\(kind.name)-\(kind.layout.fixedSize)", .answer,
        Mutation(receives: { packet, memory in
          guard packet.kind == kind, packet.carrier == carrier else { return [.receive(packet)] }
          let status: AckStatus = packet.end == memory.client ? .ok : .busy
          return [.receive(packet), .send(Packet(ack(status), carrier, packet.end, of: Tele.wire))]
        }))
    }
  }

  /// HAPTIC to whom none is due.
  private static func outside(_ wire: Wire) -> [Sketch] {
    let carrier = wire.carrier
    let asking = wire.code ?? .hello
    @Sendable func haptic(_ end: Endpoint) -> Packet {
      Packet(((try? Message.haptic(intensity: 0.5)) ?? Message.bye(sessionID: 0)).bytes, carrier, end, of: Tele.wire)
    }
    let after: [(String, Int64, PeerEvent.CloseReason?)] = [
      ("bye", 100_000_000, .teardown), ("bye-a-second", 1_000_000_000, .teardown), ("timeout", 1_200_000_000, .timeout),
      ("any-close", 500_000_000, nil),
    ]
    // Over TCP no session ends by silence, over Bluetooth none by BYE either.
    let closed = after.filter { row in
      carrier == .udp || row.2 == nil || carrier == .tcp && row.2 == .teardown
    }.map { name, delay, reason in
      Sketch(
        "haptic/after-\(name)", .outside,
        Mutation(shows: { event, memory in
          guard memory.setup.sendsHaptics, case .sessionClosed(let end, _, let why) = event,
            reason == nil || why == reason
          else { return [.show(event)] }
          return [.show(event), .send(haptic(end), after: delay)]
        }))
    }
    let refused = [AckStatus.busy, .badCode, .versionUnsupported].map { status in
      Sketch(
        "haptic/to-refused-\(status.name)", .outside,
        Mutation(shows: { event, memory in
          guard case .requested(let end, _, SessionAnswer(status)) = event else { return [.show(event)] }
          return [.show(event), .send(haptic(end))]
        }))
    }
    let before = Sketch(
      "haptic/before-ack", .outside,
      Mutation(receives: { packet, memory in
        guard packet.kind == asking, memory.client == nil else { return [.receive(packet)] }
        return [.send(haptic(packet.end)), .receive(packet)]
      }))
    return closed + (carrier == .ble ? [] : refused) + [before]
  }

  // MARK: - Phone

  private static func phone(_ wire: Wire) -> [Sketch] {
    let carrier = wire.carrier
    @Sendable func packet(_ message: Message) -> Packet {
      Packet(message.bytes, carrier, VirtualAddresses.host, of: Tele.wire)
    }
    @Sendable func ack() -> Packet {
      switch carrier {
      case .tcp?: packet(Message.ackTCP(.ok))
      case .ble?: packet(Message.right(.heartbeat))
      default: packet(Message.ack(.ok))
      }
    }
    let (life, asking) = (wire.life, wire.code ?? .hello)
    let others = Tele.wire.messages.filter { kind in
      if carrier == .ble { return kind != life && kind.layout.dialects.contains(wire.dialect.name) }
      return kind.layout.table != "ble_auth" && !kind.answers
    }
    // Over TCP nothing keeps a session but its connection.
    let keeps = (carrier == .tcp ? [] : others).map { kind in
      Sketch(
        "session/kept-by-\(kind.name)", .event,
        Mutation(receives: { packet, memory in
          packet.kind == kind && packet.carrier == carrier && memory.client != nil
            ? [.receive(packet), .hush(ack())] : [.receive(packet)]
        }))
    }
    let opens = others.map { kind in
      Sketch(
        "session/opened-by-\(kind.name)", .event,
        Mutation(receives: { packet, memory in
          packet.kind == kind && packet.carrier == carrier && memory.client == nil
            ? [.hush(ack()), .receive(packet)] : [.receive(packet)]
        }))
    }
    let refusals = Sketch(
      "session/kept-by-refusals", .event,
      Mutation(receives: { packet, memory in
        guard packet.kind.answers, packet.isValid, memory.client != nil else { return [.receive(packet)] }
        return [.receive(packet), .hush(ack())]
      }))
    let motor = [
      Sketch.showing("session/motor-left-on", .reset) { event, memory in
        if case .sessionClosed = event { memory.isArmed = true }
        guard memory.isArmed, event.appliedStrength == 0 else { return [event] }
        memory.isArmed = false
        return []
      },
      Sketch.showing("session/motor-on-again", .reset) { event, memory in
        if let strength = event.appliedStrength, memory.client != nil { memory.values = [Double(strength)] }
        guard case .sessionOpened = event, let strength = memory.values.last else { return [event] }
        return [event, .hapticApplied(Float(strength))]
      },
    ]
    let plays = Sketch(
      "haptic/outside-session", .outside,
      Mutation(receives: { packet, memory in
        guard packet.kind == .haptic, packet.isValid, packet.carrier == carrier, memory.client == nil,
          let value = Haptic.fields.intensity.value(in: packet.bytes.span.bytes)
        else { return [.receive(packet)] }
        return [.receive(packet), .show(.hapticReceived(value)), .show(.hapticApplied(HapticStrength.clamped(value)))]
      }))
    let poses = Sketch(
      "pose/before-ack", .outside,
      Mutation(sends: { sent, memory in
        guard sent.kind == asking, memory.client == nil else { return [.send(sent)] }
        return [.send(sent), .send(packet(Message.right(.pose)))]
      }))
    let later = Sketch(
      "pose/after-close", .outside,
      Mutation(shows: { event, memory in
        guard case .sessionClosed = event else { return [.show(event)] }
        return [.show(event), .send(packet(Message.right(.pose)), after: 100_000_000)]
      }))
    let hellos = [1, 2, 3, 5].map { number in helloStops(after: number, carrier) } + [sameSessionAgain(carrier)]
    return keeps + opens + (carrier == .udp ? [refusals] : []) + [plays, poses, later] + motor + resets(wire)
      + (carrier == .ble ? [] : hellos)
  }

  /// Each session is asked for, and left, by the id of the first.
  private static func sameSessionAgain(_ carrier: Carrier?) -> Sketch {
    Sketch.sending("HELLO/same-session-again", .reset) { packet, memory in
      let rows = [MessageKind.hello: Hello.fields.sessionID.row, .bye: Bye.fields.sessionID.row]
      guard packet.carrier == carrier, let row = rows[packet.kind] else { return packet }
      memory.number = memory.number ?? row.bits(in: packet.bytes)
      return packet.with(row.with(memory.number ?? 0, in: packet.bytes))
    }
  }

  /// The motor stops, or starts again at what it had, after each thing that happens.
  private static func resets(_ wire: Wire) -> [Sketch] {
    Trigger.all(of: wire).filter { !["open", "close"].contains($0.name) }.flatMap { trigger in
      let off = Sketch(
        "shown/haptic/off-after-\(trigger.name)", .reset,
        Mutation(shows: { event, _ in
          trigger.matches(event) ? [.show(event), .show(.hapticApplied(0), after: 1_000_000)] : [.show(event)]
        }))
      let before = Sketch(
        "shown/haptic/before-last-after-\(trigger.name)", .reset,
        Mutation(shows: { event, memory in
          if let strength = event.appliedStrength, Double(strength) != memory.values.last {
            memory.values = memory.values.suffix(1) + [Double(strength)]
          }
          guard trigger.matches(event), memory.values.count == 2 else { return [.show(event)] }
          return [.show(event), .show(.hapticApplied(Float(memory.values[0])), after: 1_000_000)]
        }))
      // A value of zero, too low or NaN turns it off anyway.
      return ["zero", "too-low", "not-a-number"].contains(trigger.name) ? [before] : [off, before]
    }
  }

  private static func helloStops(after number: Int, _ carrier: Carrier?) -> Sketch {
    Sketch.sending("HELLO/stops-after-\(number)", .lost) { packet, memory in
      guard packet.kind == .hello, packet.carrier == carrier else { return packet }
      memory.count += 1
      return memory.count > number ? nil : packet
    }
  }
}

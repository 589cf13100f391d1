import TelecapRecording

extension Finding: CustomStringConvertible {
  /// The finding in plain words: what is wrong and what would be right. The one place where findings are worded.
  public var description: String {
    switch (rule, detail) {
    case (.magic, .found(let bits)):
      "the message begins with \(Finding.bytes(bits, 4)), not with TELE (54 45 4c 45)"
    case (.version, .found(let bits)): "version \(bits); the only one there is is 1"
    case (.type, .found(let bits)): "nobody defined message type \(bits); 1 to 9 are known"
    case (.truncated, .lengths(let needed, let had)): "truncated: needed \(needed) bytes, had \(had)"
    case (.trailing, .lengths(let needed, let had)):
      "\(Finding.plural(had - needed, "trailing byte")) after the message of \(needed)"
    case (.mouseLength, .lengths(let needed, let had)): "\(had) bytes; a mouse packet has \(needed)"
    case (.mouseHeader, .found(let bits)):
      "header 0x\(Finding.hex(bits, 1)); a mouse packet begins with 0xaa (movement) or 0xbb (control)"
    case (_, .field(let kind, let index, let bits)) where Int(index) < kind.layout.fields.count:
      Finding.words(rule, kind.layout.fields[Int(index)], bits)
    case (.quaternion, .norm(let norm)): "qx, qy, qz, qw have norm \(norm); a unit quaternion has 1 within 0.001"
    case (.ackDialect, .kind(let kind)):
      kind == .ackTCP
        ? "the 12-byte ACK of tcp-v1, over a transport of udp-v1" : "the 8-byte ACK of udp-v1, over TCP"
    case (.transport, .kind(let kind)): "\(kind.name) is not meant for this transport; \(Finding.carriers(kind))"
    case (.direction, .kind(let kind)):
      "\(kind.name) travels from \(kind.layout.direction == .hostToPhone ? "host to phone" : "phone to host")"
    case (.seqGap, .sequence(let seq, let newest)):
      "seq \(seq) after \(newest): \(Finding.plural(Int(seq &- newest) - 1, "pose")) missing"
    case (.seqDuplicate, .sequence(let seq, _)): "seq \(seq) came before; a receiver drops the duplicate"
    case (.seqReordered, .sequence(let seq, let newest)):
      "seq \(seq) came after \(newest): late; a receiver drops it"
    case (.helloWithoutAck, .packet(let packet)): "the HELLO in packet \(packet) got no ACK"
    case (.hapticOutsideSession, _): "HAPTIC while no session is open: the phone plays nothing"
    case (.silence, .silence(let from, let time)):
      "\(Finding.seconds(time)) s of silence \(from == .hostToPhone ? "from the host" : "from the phone"); "
        + "after 3 s each side takes the other for gone"
    case (.frameLength, .count(let length)): "frame length \(length); a message has 6 bytes or more"
    case (.streamSkipped, .count(let count)):
      "\(Finding.plural(count, "byte")) skipped until the next message begins"
    case (.streamGap, .count(let count)): "\(Finding.plural(count, "byte")) of the stream are not in the capture"
    case (.streamEnd, .lengths(let needed, let had)):
      "the stream ends inside a message: needed \(needed) bytes, had \(had)"
    case (.fragment, _): "an IP fragment; telecap does not put fragments together"
    case (.packetDamaged, .lengths(let needed, let had)):
      "the packet is cut short: needed \(needed) bytes, had \(had)"
    case (.packetDamaged, _): "the packet's headers contradict each other"
    default: rule.id
    }
  }

  /// The words for a field's value that breaks its rule.
  private static func words(_ rule: Rule, _ field: FieldRow, _ bits: UInt64) -> String {
    let value = text(bits, as: field.type)
    return switch rule {
    case .notANumber: "\(field.name) is not a number (NaN)"
    case .reserved:
      field.rule == .reserved
        ? "\(field.name) is \(value); it is reserved and always 0"
        : "\(field.name) is 0x\(hex(bits, 1)); reserved bits are set (\(field.rule))"
    case .minus128: "\(field.name) is -128; a mouse sends -127 to 127"
    case .unknownCode: "\(field.name) is \(value); known: \(field.rule)"
    case .codeCharacters: "\(field.name) is not exactly six of A–Z and 0–9"
    case .beaconName: "\(field.name) is not 1 to 20 of A–Z a–z 0–9 _ -"
    case .configJSON: "\(field.name) is not a JSON object in UTF-8"
    case .outOfRange: "\(field.name) is \(value); it must be \(field.rule == .finite ? "finite" : "in \(field.rule)")"
    default: "\(field.name) is \(value)"
    }
  }

  private static func text(_ bits: UInt64, as type: FieldType) -> String {
    switch type {
    case .f32: "\(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))"
    case .i8: "\(Int8(truncatingIfNeeded: bits))"
    case .i16: "\(Int16(truncatingIfNeeded: bits))"
    default: "\(bits)"
    }
  }

  private static func carriers(_ kind: MessageKind) -> String {
    let names = Dialect.allCases.filter(kind.layout.dialects.contains).map(\.transport)
    return "it travels over \(names.joined(separator: ", "))"
  }

  private static func plural(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  private static func hex(_ bits: UInt64, _ count: Int) -> String {
    Hex.text((0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) })
  }

  private static func bytes(_ bits: UInt64, _ count: Int) -> String {
    (0..<count).map { Hex.text([UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0))]) }.joined(separator: " ")
  }

  /// Seconds with one decimal, rounded down.
  private static func seconds(_ nanoseconds: Int64) -> String {
    "\(nanoseconds / 1_000_000_000).\(nanoseconds % 1_000_000_000 / 100_000_000)"
  }
}

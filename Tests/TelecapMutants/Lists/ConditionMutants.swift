import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// Each condition that a message must meet, not looked at: what is wrong is made right before the right model sees it. And
/// conditions that there are not: what is right is dropped.
enum ConditionMutants {
  /// Those of an end of a wire.
  static func all(of wire: Wire) -> [Sketch] {
    header(wire) + wire.received.flatMap { conditions(of: $0, wire) }
  }

  private static func conditions(of kind: MessageKind, _ wire: Wire) -> [Sketch] {
    var all = types(kind, wire) + sizes(kind, wire)
    for field in kind.layout.fields { all += fields(field, kind, wire) }
    all += numbers(kind, wire)
    if wire.dialect.owner.session != nil, kind != wire.code { all.append(sender(kind, wire)) }
    return all
  }

  /// A right message, or none, in place of one that comes over this wire.
  private static func change(
    _ place: String, _ op: Operator, _ wire: Wire, _ work: @escaping @Sendable (Packet, inout Memory) -> [UInt8]?
  ) -> Sketch {
    Sketch.receiving(place, op) { packet, memory in
      packet.carrier == wire.carrier ? work(packet, &memory).map(packet.with) : packet
    }
  }

  // MARK: - Header

  /// The header of every message.
  static func header(_ wire: Wire) -> [Sketch] {
    guard let kind = wire.received.first else { return [] }
    return kind.layout.fields.prefix(kind.layout.headerCount).flatMap { row -> [Sketch] in
      guard case .equal(let right) = row.rule, let size = row.type.size else { return [] }
      let place = "header.\(row.name)"
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: right >> UInt64(8 * $0)) }
      func repaired(_ name: String, _ isLet: @escaping @Sendable (Int, UInt8) -> Bool) -> Sketch {
        change("\(place)/\(name)", .condition, wire) { packet, _ in
          guard packet.bytes.count >= row.offset + size else { return packet.bytes }
          var result = packet.bytes
          for index in 0..<size where isLet(index, result[row.offset + index]) {
            result[row.offset + index] = bytes[index]
          }
          return result
        }
      }
      var list = [repaired("any") { _, _ in true }]
      if size > 1 {
        list += (0..<size).map { place in repaired("any-in-place-\(place)") { index, _ in index == place } }
        list.append(repaired("any-case") { index, byte in byte.lowerCase == bytes[index].lowerCase })
      } else {
        list += [
          repaired("or-newer") { index, byte in byte > bytes[index] },
          repaired("or-older") { index, byte in byte < bytes[index] },
          repaired("low-nibble") { index, byte in byte & 15 == bytes[index] & 15 },
        ]
        list += wire.received.map { kind in
          change("\(place)/any-of-\(kind.name)", .condition, wire) { packet, _ in
            packet.kind == kind ? row.with(right, in: packet.bytes) : packet.bytes
          }
        }
      }
      return list
    }
  }

  /// Another message, taken for one of this type.
  private static func types(_ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    guard let code = kind.code, let row = codeRow(kind) else { return [] }
    let owner = wire.dialect.owner
    let size = kind.layout.fixedSize
    func taken(_ name: String, _ isIt: @escaping @Sendable (Packet, UInt64) -> Bool) -> Sketch {
      change("\(kind.name).type/\(name)", .condition, wire) { packet, _ in
        guard packet.bytes.count >= size, let bits = row.bits(in: packet.bytes), bits != code, isIt(packet, bits) else {
          return packet.bytes
        }
        return row.with(code, in: packet.bytes)
      }
    }
    let unknown = [
      taken("unknown") { packet, _ in packet.kind == owner.unknown || owner.unknown == nil && !packet.isValid },
      taken("low-nibble") { _, bits in bits & 15 == code & 15 },
      taken("low-7-bits") { _, bits in bits & 127 == code & 127 },
    ]
    let others = owner.messages.filter { other in
      guard let its = other.code else { return false }
      return its != code && other.layout.fixedSize >= size && other.layout.table != "ble_auth"
    }
    let named = Dictionary(others.map { ($0.name, $0.code ?? 0) }) { first, _ in first }
    return unknown
      + named.sorted { $0.key < $1.key }.map { name, its in taken("from-\(name)") { _, bits in bits == its } }
  }

  private static func codeRow(_ kind: MessageKind) -> FieldRow? {
    kind.owner === Tele.wire ? Header.fields.type.row : MousePacket.fields.header.row
  }

  /// Messages that are too short or too long.
  private static func sizes(_ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    if kind == wire.code { return codeSizes(kind, wire) }
    let size = kind.layout.fixedSize
    func short(_ name: String, _ missing: ClosedRange<Int>, _ filling: UInt8 = 0) -> Sketch {
      change("\(kind.name).length/\(name)", .condition, wire) { packet, _ in
        guard isMeant(packet, kind), missing.contains(size - packet.bytes.count) else { return packet.bytes }
        return packet.bytes + [UInt8](repeating: filling, count: size - packet.bytes.count)
      }
    }
    func long(_ name: String, _ op: Operator, _ work: @escaping @Sendable ([UInt8]) -> [UInt8]?) -> Sketch {
      change("\(kind.name).length/\(name)", op, wire) { packet, _ in
        isMeant(packet, kind) && packet.bytes.count > size ? work(packet.bytes) : packet.bytes
      }
    }
    let kept = kind.layout.headerCount == 0 ? 1 : kind.layout.fields[kind.layout.headerCount - 1].offset + 1
    let first = kind.layout.fields.first { $0.offset >= kept }
    let behind = first.map { $0.offset + $0.type.width } ?? kept
    var list = [
      short("one-missing", 1...1), short("two-missing", 1...2), short("half-missing", 1...max(1, size / 2)),
      short("short-of-zeros", 1...size), short("short-of-ones", 1...size, 1),
      long("read-from-end", .condition) { Array($0.prefix(kept)) + $0.suffix(size - kept) },
      long("last-fields-from-end", .condition) { Array($0.prefix(behind)) + $0.suffix(size - behind) },
      Sketch.receiving("\(kind.name).length/crash-on-short", .crash) { packet, memory in
        guard packet.carrier == wire.carrier, isMeant(packet, kind), packet.bytes.count < size else { return packet }
        memory.broke = "crashed: index out of range"
        return nil
      },
      Sketch.receiving("\(kind.name).length/crash-on-long", .crash) { packet, memory in
        guard packet.carrier == wire.carrier, isMeant(packet, kind), packet.bytes.count > size else { return packet }
        memory.broke = "crashed: index out of range"
        return nil
      },
    ]
    if kind.owner === Mouse.wire { list.append(long("trailing-bytes", .condition) { Array($0.prefix(size)) }) }
    return list
  }

  /// Codes that come alone, and are too short or too long.
  private static func codeSizes(_ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    let place = "\(kind.name).length"
    func crash(_ name: String, _ isIt: @escaping @Sendable (Int) -> Bool) -> Sketch {
      Sketch.receiving("\(place)/\(name)", .crash) { packet, memory in
        guard packet.carrier == wire.carrier, packet.kind == wire.dialect.malformed, isIt(packet.bytes.count) else {
          return packet
        }
        memory.broke = "crashed: index out of range"
        return nil
      }
    }
    return [
      change("\(place)/beginning-is-enough", .condition, wire) { packet, memory in
        let right = Array(memory.setup.code.utf8)
        return packet.bytes.count < right.count && right.starts(with: packet.bytes) ? right : packet.bytes
      },
      change("\(place)/rest-not-read", .condition, wire) { packet, memory in
        packet.bytes.starts(with: memory.setup.code.utf8) ? Array(packet.bytes.prefix(PairingCode.size)) : packet.bytes
      },
      crash("crash-on-short") { $0 < PairingCode.size }, crash("crash-on-long") { $0 > PairingCode.size },
    ]
  }

  /// Whether a message says that it is of this kind, whatever its size.
  static func isMeant(_ packet: Packet, _ kind: MessageKind) -> Bool {
    if packet.kind == kind { return true }
    if kind.code == nil { return false }
    guard let row = codeRow(kind), row.bits(in: packet.bytes) == kind.code else { return false }
    return kind.owner === Mouse.wire || Dialect.teleUDP.begins(packet.bytes.span.bytes)
  }

  // MARK: - Fields

  private static func fields(_ row: FieldRow, _ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    let place = "\(kind.name).\(row.name)"
    func changing(_ name: String, _ op: Operator, _ work: @escaping @Sendable (UInt64, [UInt8]) -> [UInt8]?) -> Sketch {
      change("\(place)/\(name)", op, wire) { packet, _ in
        guard packet.kind == kind, let bits = row.bits(in: packet.bytes) else { return packet.bytes }
        return work(bits, packet.bytes)
      }
    }
    /// The handling of a message whose reserved bits are not 0.
    func reserved(_ mask: UInt64) -> [Sketch] {
      let value = kind.layout.fields.first { $0.isValue && $0 != row && $0.name != "seq" && $0.name != "session_id" }
      let obeyed = value.map { value in
        changing("obeyed", .condition) { bits, bytes in
          guard bits & mask != 0, let its = value.bits(in: bytes) else { return bytes }
          return value.with(its ^ 1 << UInt64(8 * value.type.width - 2), in: bytes)
        }
      }
      return [changing("must-be-0", .strictness) { bits, bytes in bits & mask == 0 ? bytes : nil }]
        + [obeyed].compactMap(\.self)
        + [
          Sketch.receiving("\(place)/crash-on-reserved", .crash) { packet, memory in
            guard packet.kind == kind, packet.carrier == wire.carrier, let bits = row.bits(in: packet.bytes),
              bits & mask != 0
            else { return packet }
            memory.broke = "crashed: unexpected reserved bits"
            return nil
          }
        ]
    }
    switch row.rule {
    case .reserved: return reserved(row.top)
    case .bits(let mask): return reserved(row.top & ~mask)
    case .finite where row.type == .f32: return finite(row, place, kind, wire)
    case .range(let range): return Self.range(range, row, changing)
    case .form where row.type == .text(PairingCode.size): return code(row, place, kind, wire)
    default: return []
    }
  }

  private static func range(
    _ range: ClosedRange<Double>, _ row: FieldRow,
    _ changing: (String, Operator, @escaping @Sendable (UInt64, [UInt8]) -> [UInt8]?) -> Sketch
  ) -> [Sketch] {
    @Sendable func number(_ bytes: [UInt8]) -> Double {
      switch row.value(in: bytes.span.bytes) {
      case .unsigned(let number)?: Double(number)
      case .signed(let number)?: Double(number)
      case .float(let number)?: Double(number)
      default: 0
      }
    }
    @Sendable func bits(_ number: Double) -> UInt64 {
      row.type.isFloat ? UInt64(Float(number).bitPattern) : UInt64(bitPattern: Int64(number)) & row.top
    }
    let bounds = [
      changing("upper-bound-refused", .comparison) { _, bytes in number(bytes) == range.upperBound ? nil : bytes },
      changing("lower-bound-refused", .comparison) { _, bytes in number(bytes) == range.lowerBound ? nil : bytes },
    ]
    let high = [
      changing("high-refused", .strictness) { _, bytes in number(bytes) > range.upperBound ? nil : bytes },
      changing("high-held", .condition) { _, bytes in
        number(bytes) > range.upperBound ? row.with(bits(range.upperBound), in: bytes) : bytes
      },
      changing("high-is-lower-bound", .condition) { _, bytes in
        number(bytes) > range.upperBound ? row.with(bits(range.lowerBound), in: bytes) : bytes
      },
    ]
    let low = [
      changing("low-refused", .strictness) { _, bytes in number(bytes) < range.lowerBound ? nil : bytes },
      changing("low-is-upper-bound", .condition) { _, bytes in
        number(bytes) < range.lowerBound ? row.with(bits(range.upperBound), in: bytes) : bytes
      },
    ]
    // Only what the type can hold beyond the range.
    return bounds + (range.upperBound < row.type.greatest ? high : []) + (range.lowerBound > row.type.least ? low : [])
  }

  /// A number that is none, read as one.
  private static func finite(_ row: FieldRow, _ place: String, _ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    let cases: [(String, @Sendable (Float) -> Bool)] = [
      ("nan", { $0.isNaN }), ("infinity", { $0 == .infinity }), ("minus-infinity", { $0 == -.infinity }),
    ]
    return cases.flatMap { name, isIt in
      [
        change("\(place)/\(name)-is-0", .condition, wire) { packet, _ in
          guard packet.kind == kind, let bits = row.bits(in: packet.bytes),
            isIt(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
          else { return packet.bytes }
          return row.with(0, in: packet.bytes)
        },
        Sketch.receiving("\(place)/crash-on-\(name)", .crash) { packet, memory in
          guard packet.kind == kind, packet.carrier == wire.carrier, let bits = row.bits(in: packet.bytes),
            isIt(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
          else { return packet }
          memory.broke = "crashed: \(row.name) is not finite"
          return nil
        },
      ]
    }
  }

  /// A code that is not quite the right one.
  private static func code(_ row: FieldRow, _ place: String, _ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    /// Accepts a code that differs from the right one where this closure says so: by index, given and right code.
    func letIn(_ name: String, _ isLet: @escaping @Sendable (Int, [UInt8], [UInt8]) -> Bool) -> Sketch {
      change("\(place)/\(name)", .condition, wire) { packet, memory in
        guard isMeant(packet, kind), packet.bytes.count >= row.offset + PairingCode.size else { return packet.bytes }
        let right = Array(memory.setup.code.utf8)
        var result = packet.bytes
        let given = Array(result[row.range(in: result.count)])
        for index in right.indices where isLet(index, given, right) { result[row.offset + index] = right[index] }
        return result
      }
    }
    let places = (0..<PairingCode.size).map { place in letIn("any-in-place-\(place)") { index, _, _ in index == place }
    }
    let prefixes = (1..<PairingCode.size).map { length in
      letIn("first-\(length)-compared") { index, _, _ in index >= length }
    }
    @Sendable func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    return places + prefixes + [
      letIn("any") { _, _, _ in true },
      letIn("any-case") { index, given, right in given[index].lowerCase == right[index].lowerCase },
      letIn("empty") { _, given, _ in given.allSatisfy { $0 == 0 } },
      letIn("shorter") { index, given, _ in given[index] == 0 },
      letIn("any-digit") { index, given, right in isDigit(given[index]) && isDigit(right[index]) },
      letIn("any-order") { _, given, right in given.sorted() == right.sorted() },
    ]
  }

  /// A quaternion that is no unit.
  private static func numbers(_ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    let rows = kind.layout.unitQuaternion.compactMap { kind.layout[$0] }
    guard rows.count == 4 else { return [] }
    func notUnit(_ name: String, _ op: Operator, _ work: @escaping @Sendable ([UInt8], [Float]) -> [UInt8]?) -> Sketch {
      change("\(kind.name).quaternion/\(name)", op, wire) { packet, _ in
        guard packet.kind == kind, packet.isValid else { return packet.bytes }
        let parts = rows.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0.bits(in: packet.bytes) ?? 0)) }
        let norm = parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return norm.isFinite && abs(norm - 1) > 1e-3 ? work(packet.bytes, parts.map { $0 / norm }) : packet.bytes
      }
    }
    @Sendable func put(_ values: [Float], _ rows: [FieldRow], _ bytes: [UInt8]) -> [UInt8] {
      zip(rows, values).reduce(bytes) { $1.0.with(UInt64($1.1.bitPattern), in: $0) }
    }
    let positions = ["x", "y", "z"].compactMap { kind.layout[$0] }
    let each = rows.enumerated().map { index, row in
      notUnit("\(row.name)-as-of-unit", .condition) { bytes, unit in put([unit[index]], [row], bytes) }
    }
    return each + [
      notUnit("made-a-unit", .condition) { bytes, unit in put(unit, rows, bytes) },
      notUnit("turn-dropped", .condition) { bytes, _ in put([0, 0, 0, 1], rows, bytes) },
      notUnit("place-dropped", .condition) { bytes, _ in put([0, 0, 0], positions, bytes) },
    ]
  }

  // MARK: - Sender

  /// A message of an unknown peer, taken for one of the session's client; of a phone, for its host's.
  private static func sender(_ kind: MessageKind, _ wire: Wire) -> Sketch {
    Sketch.receiving("\(kind.name)/any-sender", .stranger) { packet, memory in
      guard packet.kind == kind, packet.carrier == wire.carrier, let client = memory.client else { return packet }
      var packet = packet
      packet.end = client
      return packet
    }
  }
}

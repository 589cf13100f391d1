import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Each field of each message that a system receives or sends, read or written wrongly.
enum FieldMutants {
  /// Those of an end of a wire.
  static func all(of wire: Wire) -> [Sketch] {
    wire.received.flatMap { numbers($0, wire, Sketch.receiving, wire.isUsed) + codes($0, wire, true, Sketch.receiving) }
      + wire.sent.flatMap {
        numbers($0, wire, Sketch.sending, wire.isJudged) + codes($0, wire, false, Sketch.sending)
          + constants($0, wire)
      }
  }

  typealias Making =
    (String, Operator, @escaping @Sendable (Packet, inout Memory) -> Packet?) -> Sketch

  /// Numbers that are values.
  private static func numbers(
    _ kind: MessageKind, _ wire: Wire, _ making: Making, _ isUsed: (FieldRow, MessageKind) -> Bool
  ) -> [Sketch] {
    kind.layout.fields.filter { $0.isValue && isUsed($0, kind) }.flatMap { row -> [Sketch] in
      let place = "\(kind.name).\(row.name)"
      @Sendable func concerns(_ packet: Packet) -> Bool { packet.kind == kind && packet.carrier == wire.carrier }
      let stateless = NumberChange.all.filter(row.isFit).map { change in
        making("\(place)/\(change.name)", change.kind) { packet, _ in
          guard concerns(packet), let bits = row.bits(in: packet.bytes) else { return packet }
          return packet.with(row.with(change.bits(bits, row.type) & row.top, in: packet.bytes))
        }
      }
      let kept = making("\(place)/first-kept", .ignored) { packet, memory in
        guard concerns(packet), let bits = row.bits(in: packet.bytes) else { return packet }
        defer { memory.number = memory.number ?? bits }
        return packet.with(row.with(memory.number ?? bits, in: packet.bytes))
      }
      let previous = making("\(place)/previous", .late) { packet, memory in
        guard concerns(packet), let bits = row.bits(in: packet.bytes) else { return packet }
        defer { memory.number = bits }
        return packet.with(row.with(memory.number ?? bits, in: packet.bytes))
      }
      return stateless + [kept, previous] + swapped(row, kind, place, concerns, making)
    }
  }

  private static func swapped(
    _ row: FieldRow, _ kind: MessageKind, _ place: String, _ concerns: @escaping @Sendable (Packet) -> Bool,
    _ making: Making
  ) -> [Sketch] {
    let rows = kind.layout.fields.dropFirst(kind.layout.headerCount).filter { $0.type == row.type }
    guard rows.count > 1, let own = rows.firstIndex(of: row) else { return [] }
    let other = own + 1 < rows.endIndex ? rows[own + 1] : rows[own - 1]
    return [
      making("\(place)/swapped-with-\(other.name)", .swapped) { packet, _ in
        guard concerns(packet), let bits = row.bits(in: packet.bytes), let others = other.bits(in: packet.bytes) else {
          return packet
        }
        return packet.with(other.with(bits, in: row.with(others, in: packet.bytes)))
      },
      making("\(place)/taken-from-\(other.name)", .swapped) { packet, _ in
        guard concerns(packet), let others = other.bits(in: packet.bytes) else { return packet }
        return packet.with(row.with(others, in: packet.bytes))
      },
    ]
  }

  /// Each code taken for each other, and one that nobody defined for each, which nobody sends. One refusal for another makes
  /// no difference to who asked.
  private static func codes(_ kind: MessageKind, _ wire: Wire, _ isIn: Bool, _ making: Making) -> [Sketch] {
    kind.layout.fields.flatMap { row -> [Sketch] in
      guard case .codes(let codes) = row.rule else { return [] }
      // If no rule of a declaration uses a code, only an unknown code is wrong, and only in sent messages.
      let isFree = wire.isDeclared && !wire.isUsed(row, of: kind)
      if isFree, isIn { return [] }
      let known = codes.map(\.value)
      let names = Dictionary(uniqueKeysWithValues: codes.map { ($0.value, $0.name) })
      let unknown = (known.max() ?? 0) + 7
      let accepting = kind.answers && isIn ? kind.owner.asking?.accepts?.value : nil
      let sources = isFree ? Array(known.sorted().prefix(1)) : known + (isIn ? [unknown] : [])
      let targets = isFree ? [unknown] : known + [unknown]
      return sources.flatMap { from in
        targets.filter { to in to != from && (accepting.map { [from, to].contains($0) } ?? true) }.map { to in
          let words = "\(names[from] ?? "unknown")-as-\(names[to] ?? "unknown")"
          return making("\(kind.name).\(row.name)/\(words)", .code) { packet, _ in
            guard packet.kind == kind, packet.carrier == wire.carrier, let bits = row.bits(in: packet.bytes) else {
              return packet
            }
            let isFrom = from == unknown ? !known.contains(bits) : bits == from
            return isFrom ? packet.with(row.with(to, in: packet.bytes)) : packet
          }
        }
      }
    }
  }

  /// Constants that are sent: each byte of them wrong; reserved bits set; another text; the size.
  private static func constants(_ kind: MessageKind, _ wire: Wire) -> [Sketch] {
    func changing(_ place: String, _ name: String, _ op: Operator, _ change: @escaping @Sendable ([UInt8]) -> [UInt8])
      -> Sketch
    {
      Sketch.sending("\(kind.name)\(place)/\(name)", op) { packet, _ in
        packet.kind == kind && packet.carrier == wire.carrier ? packet.with(change(packet.bytes)) : packet
      }
    }
    func flipping(_ place: String, _ name: String, _ row: FieldRow, _ bits: UInt64) -> Sketch {
      changing(place, name, .condition) { bytes in
        row.bits(in: bytes).map { row.with($0 ^ bits, in: bytes) } ?? bytes
      }
    }
    let fields = kind.layout.fields.flatMap { row -> [Sketch] in
      let place = ".\(row.name)"
      switch row.rule {
      case .reserved:
        return [1, row.top ^ (row.top >> 1), row.top].map { flipping(place, "bits-\(String($0, radix: 16))", row, $0) }
      case .bits(let mask):
        let reserved = (0..<UInt64(8 * row.type.width)).map { 1 << $0 }.filter { $0 & mask == 0 }
        return reserved.map { flipping(place, "bits-\(String($0, radix: 16))", row, $0) }
      case .equal where row.type.isNumber, .any where row.isCode:
        return [1, 2, row.top].map { flipping(place, "flipped-\(String($0, radix: 16))", row, $0) }
      case .equal, .form:
        return text(row).map { change in changing(place, change.name, change.kind, change.change) }
      default: return []
      }
    }
    let sizes = [
      changing("", "byte-short", .cut) { Array($0.dropLast()) },
      changing("", "half", .cut) { Array($0.prefix($0.count / 2)) },
      changing("", "byte-long", .cut) { $0 + [0] }, changing("", "twice-as-long", .cut) { $0 + $0 },
      changing("", "empty", .cut) { _ in [] },
    ]
    return fields + sizes
  }

  /// Texts written wrongly.
  private static func text(
    _ row: FieldRow
  ) -> [(name: String, kind: Operator, change: @Sendable ([UInt8]) -> [UInt8])] {
    guard let size = row.type.size else { return [] }
    func change(_ work: @escaping @Sendable (inout ArraySlice<UInt8>) -> Void) -> @Sendable ([UInt8]) -> [UInt8] {
      { bytes in
        var bytes = bytes
        let range = row.range(in: bytes.count)
        var text = bytes[range]
        work(&text)
        bytes.replaceSubrange(range, with: text.prefix(range.count))
        return bytes
      }
    }
    let places = (0..<size).map { place in
      (
        "place-\(place)", Operator.condition,
        change { text in if text.count > place { text[text.startIndex + place] ^= 2 } }
      )
    }
    return places.map { (name: $0.0, kind: $0.1, change: $0.2) } + [
      ("ignored", .ignored, change { text in for index in text.indices { text[index] = 0 } }),
      ("lower-case", .condition, change { text in for index in text.indices { text[index] = text[index].lowerCase } }),
      ("reversed", .byteOrder, change { text in text = ArraySlice(text.reversed()) }),
      ("last-lost", .cut, change { text in if let last = text.indices.last { text[last] = 0 } }),
    ]
  }
}

extension UInt8 {
  /// The small letter of a capital one.
  var lowerCase: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

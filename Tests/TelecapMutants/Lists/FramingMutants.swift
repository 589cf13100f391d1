import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Streams cut into messages in another way.
enum FramingMutants {
  static func all(of wire: Wire) -> [Sketch] {
    guard wire.carrier == .tcp, wire.model.part.name != "mouse" else { return [] }
    switch wire.dialect.framing {
    case .length(let prefix): return lengths(prefix)
    case .fixed(let size, let heads): return fixed(size, heads)
    case .none, .datagram, .bundle, .selfDelimited, .stuffed: return []
    }
  }

  private static func sketch(
    _ name: String, _ kind: Operator, keepsStream: Bool = false,
    _ reads: @escaping @Sendable ([UInt8], inout [UInt8]) -> [[UInt8]]
  ) -> Sketch {
    Sketch("in/stream/\(name)", kind, Mutation(reads: reads, keepsStream: keepsStream))
  }

  // MARK: - A length before each message

  /// Another length in place of the right one; a length of no message is for the right model to find.
  private static func lengths(_ prefix: LengthPrefix) -> [Sketch] {
    let shortest = prefix.shortest
    @Sendable func frame(_ bytes: ArraySlice<UInt8>) -> [UInt8] { prefix.bytes(before: bytes.count) + bytes }
    @Sendable func cut(
      _ pending: inout [UInt8], _ length: (Int) -> Int
    ) -> [[UInt8]] {
      var frames: [[UInt8]] = []
      while let stands = prefix.read(pending.span.bytes, at: 0) {
        let count = max(0, length(stands - prefix.extra))
        guard pending.count >= prefix.size + count else { break }
        frames.append(frame(pending[prefix.size..<prefix.size + count]))
        pending.removeFirst(prefix.size + count)
        if count < shortest { break }
      }
      return frames
    }
    func length(_ name: String, _ kind: Operator, _ change: @escaping @Sendable (Int) -> Int) -> Sketch {
      sketch("length-\(name)", kind) { piece, pending in
        pending += piece
        return cut(&pending, change)
      }
    }
    return [
      length("byte-order", .byteOrder) { prefix.swapped($0) }, length("low-byte", .cut) { $0 & 0xff },
      length("low-7-bits", .cut) { $0 & 0x7f }, length("low-nibble", .cut) { $0 & 15 },
      length("plus-step", .step) { $0 + 1 }, length("minus-step", .step) { $0 - 1 },
      length("counts-itself", .step) { $0 - prefix.size },
      length("as-int8", .cut) { Int(Int8(truncatingIfNeeded: $0)) },
      length("held-to-64", .bound) { min(64, $0) }, length("held-to-1024", .bound) { min(1_024, $0) },
      length("at-least-shortest", .bound) { max(shortest, $0) },
      sketch("piece-is-message", .framing) { piece, _ in
        guard prefix.read(piece.span.bytes, at: 0) != nil else { return [] }
        let size = prefix.messageSize(in: piece.span.bytes, at: 0) + prefix.size
        return piece.count >= size ? [Array(piece.prefix(size))] : []
      },
      sketch("rest-of-piece-lost", .framing) { piece, pending in
        pending += piece
        let frames = cut(&pending) { $0 }
        if !frames.isEmpty { pending = [] }
        return Array(frames.prefix(1))
      },
      sketch("unfinished-lost", .framing) { piece, pending in
        pending += piece
        let frames = cut(&pending) { $0 }
        if !frames.isEmpty { pending = [] }
        return frames
      },
      sketch("length-in-one-piece", .framing) { piece, pending in
        // A length of which only one byte has come is taken for a whole one.
        if pending.isEmpty, piece.count == 1 { return [] }
        pending += piece
        return cut(&pending) { $0 }
      },
      sketch("too-short-passed-over", .condition) { piece, pending in
        pending += piece
        return passingOver(&pending, prefix) { $0 < shortest }
      },
      sketch("header-alone-refused", .comparison) { piece, pending in
        pending += piece
        return cut(&pending) { $0 == shortest ? 0 : $0 }
      },
      sketch("one-too-short-taken", .bound) { piece, pending in
        pending += piece
        return passingOver(&pending, prefix) { $0 == shortest - 1 }
      },
      sketch("length-0-passed-over", .condition) { piece, pending in
        pending += piece
        return passingOver(&pending, prefix) { $0 == 0 }
      },
      sketch("kept-over-connections", .reset, keepsStream: true) { piece, pending in
        pending += piece
        return cut(&pending) { $0 }
      },
      sketch("long-refused", .bound) { piece, pending in
        pending += piece
        return cut(&pending) { $0 > 64 ? 0 : $0 }
      },
      sketch("very-long-refused", .bound) { piece, pending in
        pending += piece
        return cut(&pending) { $0 > 4_096 ? 0 : $0 }
      },
    ]
  }

  /// The messages of a stream, without those whose length is skipped with their content.
  private static func passingOver(
    _ pending: inout [UInt8], _ prefix: LengthPrefix, _ isPassed: (Int) -> Bool
  ) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    while prefix.read(pending.span.bytes, at: 0) != nil {
      let length = prefix.messageSize(in: pending.span.bytes, at: 0)
      let end = prefix.size + length
      guard pending.count >= end else { break }
      if !isPassed(length) { frames.append(Array(pending.prefix(end))) }
      pending.removeFirst(end)
    }
    return frames
  }

  // MARK: - Messages of a fixed size

  private static func fixed(_ size: Int, _ heads: [UInt8]) -> [Sketch] {
    @Sendable func messages(_ pending: inout [UInt8], _ heads: [UInt8], size: Int, given: Int) -> [[UInt8]] {
      var found: [[UInt8]] = []
      while pending.count >= size {
        guard heads.contains(pending[0]) else {
          found.append([pending.removeFirst()])
          continue
        }
        found.append(Array((pending.prefix(size) + [0, 0, 0]).prefix(given)))
        pending.removeFirst(size)
      }
      return found
    }
    func beginning(_ name: String, _ kind: Operator, with heads: [UInt8]) -> Sketch {
      sketch(name, kind) { piece, pending in
        pending += piece
        return messages(&pending, heads, size: size, given: size)
      }
    }
    let without = heads.map { head in
      beginning("head-\(String(head, radix: 16))-unknown", .condition, with: heads.filter { $0 != head })
    }
    return without + [
      sketch("piece-is-message", .framing) { piece, _ in piece.count == size ? [piece] : [] },
      sketch("piece-begins-message", .framing) { piece, _ in piece.count >= size ? [Array(piece.prefix(size))] : [] },
      sketch("unfinished-lost", .framing) { piece, _ in
        var pending = piece
        return messages(&pending, heads, size: size, given: size)
      },
      sketch("size-plus-step", .step) { piece, pending in
        pending += piece
        return messages(&pending, heads, size: size + 1, given: size)
      },
      sketch("size-minus-step", .step) { piece, pending in
        pending += piece
        return messages(&pending, heads, size: size - 1, given: size)
      },
      sketch("never-found-again", .condition) { piece, pending in
        if pending == [0] { return [] }
        pending += piece
        let found = messages(&pending, heads, size: size, given: size)
        if let stranger = found.firstIndex(where: { $0.count < size }) {
          pending = [0]
          return Array(found.prefix(stranger))
        }
        return found
      },
      sketch("any-head", .condition) { piece, pending in
        pending += piece
        var found: [[UInt8]] = []
        while pending.count >= size {
          let head = heads.contains(pending[0]) ? pending[0] : heads[0]
          found.append([head] + pending.prefix(size).dropFirst())
          pending.removeFirst(size)
        }
        return found
      },
      sketch("piece-with-strangers-lost", .framing) { piece, pending in
        pending += piece
        let found = messages(&pending, heads, size: size, given: size)
        return found.contains { $0.count < size } ? [] : found
      },
      sketch("looks-only-where-messages-begin", .framing) { piece, pending in
        pending += piece
        var found: [[UInt8]] = []
        while pending.count >= size {
          if heads.contains(pending[0]) { found.append(Array(pending.prefix(size))) }
          pending.removeFirst(size)
        }
        return found
      },
      sketch("kept-over-connections", .reset, keepsStream: true) { piece, pending in
        pending += piece
        return messages(&pending, heads, size: size, given: size)
      },
    ]
  }
}

extension LengthPrefix {
  /// A length read in the other byte order.
  fileprivate func swapped(_ length: Int) -> Int {
    (read(Array(bytes(before: length).reversed()).span.bytes, at: 0) ?? 0) - extra
  }
}

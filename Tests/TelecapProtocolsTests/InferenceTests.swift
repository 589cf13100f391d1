import TelecapConformance
import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// A protocol file that begins with what traffic shows: each guess is tried on traffic whose declaration is known.
@Suite("Inference of a protocol file from traffic") struct InferenceTests {
  /// Payloads of one sender, 10 ms apart.
  private func samples(_ count: Int, fromHost: Bool = false, _ payload: (Int) -> [UInt8]) -> [TrafficSample] {
    (0..<count).map {
      TrafficSample(
        isFromHost: fromHost, sender: fromHost ? 1 : 0, time: Nanoseconds($0) * 10_000_000, bytes: payload($0))
    }
  }

  private func inferred(_ samples: [TrafficSample]) throws -> (ProtocolInference, WireProtocol) {
    let samples = samples.sorted { ($0.time, $0.sender) < ($1.time, $1.sender) }
    let inference = try ProtocolInference("thing", port: 7000, from: samples, source: "thing.pcap")
    #expect(inference.decoded == samples.count, "\(inference.text)")
    return (inference, try ProtocolFile.read(inference.text, file: "thing.yaml"))
  }

  private func field(at offset: Int, _ kind: MessageKind) -> FieldRow? {
    kind.layout.fields.first { $0.offset == offset }
  }

  private static func bytes(_ value: UInt64, _ size: Int, _ order: ByteOrder) -> [UInt8] {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    return order == .little ? little : little.reversed()
  }

  /// A value that changes like a measurement.
  private func wave(_ index: Int) -> Double { Double((index * 7) % 200 - 100) * 0.013 }

  @Test("Constant bytes, a counter and floats are inferred", arguments: [ByteOrder.little, .big], [1, 2, 4])
  func counterAndFloats(_ order: ByteOrder, _ width: Int) throws {
    // Each width wraps or carries into its highest byte, which a narrower counter would not explain.
    let first: [Int: UInt64] = [1: 250, 2: 65_000, 4: 0x00ff_ff00]
    let payloads = samples(600) { index in
      Array("POSE".utf8) + Self.bytes((first[width] ?? 0) + UInt64(index), width, order)
        + (0..<3).flatMap { Self.bytes(UInt64(Float(wave(index + $0)).bitPattern), 4, order) }
    }
    let (inference, owner) = try inferred(payloads)
    let kind = owner.messages[0]
    #expect(field(at: 0, kind)?.rule == .equal(0x4553_4f50), "\(inference.text)")
    let counter = try #require(field(at: 4, kind))
    #expect(counter.name == "counter" && counter.type.size == width, "\(inference.text)")
    #expect(width == 1 || counter.byteOrder == order, "\(inference.text)")
    for offset in stride(from: 4 + width, to: 16 + width, by: 4) {
      #expect(field(at: offset, kind)?.type == .f32 && field(at: offset, kind)?.byteOrder == order, "\(inference.text)")
    }
    #expect(owner.streams.count == 1 && owner.streams[0].order == .sequence("counter"), "\(inference.text)")
  }

  @Test("Six doubles without a header, as opentrack sends them, are inferred")
  func doubles() throws {
    let (inference, owner) = try inferred(
      samples(200) { index in (0..<6).flatMap { Self.bytes(wave(index * 3 + $0).bitPattern, 8, .little) } })
    #expect(owner.messages[0].layout.fixedSize == 48)
    #expect(
      stride(from: 0, to: 48, by: 8).allSatisfy { field(at: $0, owner.messages[0])?.type == .f64 }, "\(inference.text)")
  }

  @Test("A sum with an initial value, and numbers of three bytes, as FreeD sends them, are inferred")
  func freeD() throws {
    let (inference, owner) = try inferred(
      samples(300) { index in
        let pan = UInt64(bitPattern: Int64((index % 200 - 100) * 150)) & 0xff_ffff
        let body =
          [0xd1, 1] + Self.bytes(pan, 3, .big) + Self.bytes(UInt64(0x0f_f000 + abs(index % 150 - 75) * 90), 3, .big)
        return body + [body.reduce(0x40) { $0 &- $1 }]
      })
    let kind = owner.messages[0]
    #expect(field(at: 0, kind)?.rule == .equal(0xd1), "\(inference.text)")
    let expected = ChecksumAlgorithm(.difference, bits: 8, initial: 0x40)
    #expect(field(at: 8, kind)?.check?.algorithm == expected && kind.layout.fixedSize == 9, "\(inference.text)")
    #expect(field(at: 5, kind)?.type == .u24 && field(at: 5, kind)?.byteOrder == .big, "\(inference.text)")
  }

  @Test("Each kind of checksum at the end is inferred", arguments: ["xor", "sum", "crc8", "crc8-dvb-s2"])
  func checksums(_ name: String) throws {
    let algorithm = try #require(ChecksumAlgorithm.named(name, bits: 8))
    let (inference, owner) = try inferred(
      samples(100) { index in
        let body: [UInt8] = [0xc8] + Self.bytes(UInt64(index * index * 31 + 5), 4, .little)
        let sum = Checksum(algorithm, from: 1, to: 5)
        let whole = body + [0]
        return body + [UInt8(sum.value(of: whole.span.bytes, count: 6, in: 5..<6) ?? 0)]
      })
    let sum = try #require(owner.messages[0].layout.checkFields.first, "\(inference.text)")
    #expect(sum.offset == 5 && sum.check?.algorithm == algorithm && sum.check?.from == 1, "\(inference.text)")
  }

  @Test("The type, length and CRC-32 in the header of DSU are inferred")
  func dsu() throws {
    let names = ["VERSION_REQUEST", "PAD_REQUEST", "PORTS", "PAD"]
    let declared = try #require(DSU.wire)
    var payloads: [TrafficSample] = []
    for (index, name) in (0..<400).map({ ($0, names[$0 % 4]) }) {
      let kind = try #require(declared[name])
      var message = Message.right(kind)
      try message.set("id", to: .unsigned(UInt64(77 + index % 5)))
      if name == "PAD" {
        try message.set("packet_number", to: .unsigned(UInt64(index / 4 + 1_000)))
        for (place, axis) in ["accel_x", "accel_y", "accel_z"].enumerated() {
          try message.set(axis, to: .float(Float(wave(index + place))))
        }
      }
      message.seal()
      let isHost = kind.layoutDirection == .serverToClient
      payloads.append(
        TrafficSample(
          isFromHost: isHost, sender: isHost ? 1 : 0, time: Nanoseconds(index) * 1_000_000, bytes: message.bytes))
    }
    let (inference, owner) = try inferred(payloads)
    let pad = try #require(owner.messages.first { $0.layout.fixedSize == 100 }, "\(inference.text)")
    #expect(field(at: 8, pad)?.check?.algorithm == .crc32, "\(inference.text)")
    #expect(field(at: 6, pad)?.type == .u16 && field(at: 6, pad)?.name == "length", "\(inference.text)")
    #expect(field(at: 32, pad)?.name == "counter", "\(inference.text)")
    #expect(field(at: 76, pad)?.type == .f32, "\(inference.text)")
    #expect(Set(owner.messages.map(\.layout.fixedSize)).isSuperset(of: [20, 28, 32, 100]), "\(inference.text)")
  }

  @Test(
    "Payloads of up to eight sizes become messages; of more sizes, one message with a rest", arguments: [8, 9, 400])
  func sizes(_ count: Int) throws {
    let (inference, owner) = try inferred(
      samples(1_000) { index in
        Array("OSC!".utf8) + [UInt8](repeating: UInt8(index * 37 % 251), count: 4 + index % count)
      })
    let messages = owner.declaredMessages
    #expect(messages.count == (count > 8 ? 1 : count), "\(inference.text)")
    #expect((messages[0].layout.fields.last?.type == .rest) == (count > 8), "\(inference.text)")
  }

  @Test("Long payloads get at most the fields that a message may have, and keep their final checksum")
  func long() throws {
    var random = SplitMix64(seed: 7)
    let noise = samples(40) { _ in (0..<1_400).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
    #expect(try inferred(noise).1.declaredMessages[0].layout.fixedSize == 1_400)
    let floats = samples(40) { index in
      let body = (0..<300).flatMap { Self.bytes(UInt64(Float(wave(index + $0)).bitPattern), 4, .little) }
      return body + [body.reduce(0, ^)]
    }
    let (inference, owner) = try inferred(floats)
    #expect(owner.declaredMessages[0].layout.checkFields.map(\.offset) == [1_200], "\(inference.text.suffix(600))")
  }

  @Test(
    "The unit of a clock is inferred from its steps",
    arguments: [(10_000_000, "ns"), (10_000, "µs"), (10, "ms")] as [(Int, String)])
  func clock(_ step: Int, _ unit: String) throws {
    let (inference, owner) = try inferred(
      samples(200) { index in Array("CL".utf8) + Self.bytes(UInt64(77_000_000 + index * step), 8, .big) })
    #expect(field(at: 2, owner.declaredMessages[0])?.unit == unit, "\(inference.text)")
  }

  @Test("A number that grows differently from the time is no clock")
  func noClock() throws {
    let (inference, _) = try inferred(
      samples(200) { index in Array("CL".utf8) + Self.bytes(UInt64(77_000_000 + index * 13_000), 8, .big) })
    #expect(!inference.text.contains("grows by the time"), "\(inference.text)")
  }

  @Test("Capture times at both ends of 64 bits do not trap")
  func extremeTimes() throws {
    let payloads = [Int64.min, 0, 5, 9, .max].enumerated().map { index, time in
      TrafficSample(isFromHost: false, sender: 0, time: time, bytes: Self.bytes(UInt64(index * 1_000), 8, .big))
    }
    _ = try inferred(payloads)
  }

  @Test("Noise is decoded without a counter or a checksum", arguments: [UInt64(1), 2, 3])
  func noise(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (inference, owner) = try inferred(
      samples(300) { _ in (0..<24).map { _ in UInt8(truncatingIfNeeded: random.next()) } })
    #expect(owner.messages[0].layout.checkFields.isEmpty, "\(inference.text)")
    #expect(!owner.messages[0].layout.fields.contains { $0.name.hasPrefix("counter") }, "\(inference.text)")
  }

  @Test("A few payloads, one payload and empty payloads are accepted", arguments: [1, 2, 3])
  func few(_ count: Int) throws {
    _ = try inferred(samples(count) { [1, 2, UInt8($0)] })
  }

  @Test("A name that no protocol may have is an error")
  func name() {
    #expect(throws: YAMLFileError.self) {
      try ProtocolInference("My Thing", port: 7000, from: samples(3) { [UInt8($0)] }, source: "a.pcap")
    }
  }
}

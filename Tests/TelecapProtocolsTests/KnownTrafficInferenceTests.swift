import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// Protocol files begun from the traffic of protocols that come with telecap, compared with their declarations.
@Suite("An inferred protocol file agrees with the declaration") struct KnownTrafficInferenceTests {
  /// A protocol, and what its traffic shows.
  struct Case: CustomTestStringConvertible {
    let name: String
    let make: @Sendable (inout KnownTraffic) throws -> Void
    /// The constant that all messages begin with, and its offset; nil where there is none.
    var magic: (offset: Int, size: Int, bits: UInt64)?
    /// The message with a sequence number, the number's field, and the bits that the traffic shows of it.
    var counter: (message: String, field: String, bits: Int)?
    /// The number of messages with a checksum.
    var checksums = 0
    /// The floats of a message.
    var floats: (message: String, count: Int)?
    /// A part of the line of a stream, with its order and its keys; nil where none is tested.
    var stream: String?

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "dsu", make: { try $0.dsu() }, magic: (0, 3, 0x55_5344), counter: ("PAD", "packet_number", 32),
      checksums: 5,
      floats: ("PAD", 6), stream: "order: counter, values:"),
    Case(name: "freed", make: { try $0.freed() }, magic: (0, 1, 0xd1), checksums: 1),
    Case(
      name: "sacn", make: { try $0.sacn() }, magic: (4, 8, 0x312e_3145_2d43_5341), counter: ("DATA", "sequence", 8)),
    Case(
      name: "artnet", make: { try $0.artnet() }, magic: (0, 7, 0x74_654e_2d74_7241), counter: ("DMX", "sequence", 8)),
    Case(name: "opentrack", make: { try $0.opentrack() }, floats: ("POSE", 6)),
    Case(
      name: "rtp", make: { try $0.rtp() }, magic: (0, 1, 0x80), counter: ("PACKET", "sequence", 16)),
    Case(
      name: "mavlink2", make: { try $0.mavlink() }, magic: (0, 1, 0xfd), counter: ("ATTITUDE", "sequence", 8),
      checksums: 4,
      floats: ("ATTITUDE", 6)),
    Case(
      name: "slimevr", make: { try $0.slimevr() }, counter: ("ROTATION", "number", 32), floats: ("ROTATION", 4)),
    Case(name: "ddp", make: { try $0.ddp() }, counter: ("PIXELS", "sequence", 4)),
    Case(name: "xplane", make: { try $0.xplane() }, floats: ("RPOS", 13)),
  ]

  /// A declaration that was inferred, next to the payloads and the declared messages that they are.
  private struct Comparison {
    let traffic: KnownTraffic
    let text: String
    let inferred: WireProtocol
    let decoded: Int

    init(_ name: String, _ make: (inout KnownTraffic) throws -> Void) throws {
      var traffic = KnownTraffic(try ProtocolVectorTests.declared(name), seed: 51)
      try make(&traffic)
      self.traffic = traffic
      let inference = try ProtocolInference("thing", port: 7_000, from: traffic.samples, source: "thing.pcap")
      (text, decoded) = (inference.text, inference.decoded)
      inferred = try ProtocolFile.read(text, file: "thing.yaml")
    }

    /// The payloads of a declared message, and the inferred message that the first of them is.
    func message(_ name: String) -> (inferred: MessageKind, payloads: [[UInt8]])? {
      let payloads = zip(traffic.samples, traffic.kinds).filter { $0.1.name == name }.map(\.0.bytes)
      return payloads.first.map { (MessageDecoder.check($0.span.bytes, as: inferred.dialects[0]).kind, payloads) }
    }

    /// The names of declared fields whose numbers are, in each payload, those of an inferred field: all of them, or their lowest bits.
    func declared(_ row: FieldRow, of name: String) -> [String] {
      guard let kind = traffic.owner[name], let payloads = message(name)?.payloads else { return [] }
      let mask = UInt64.max >> UInt64(64 - row.bitCount)
      return kind.layout.fields.filter { other in
        guard other.type.isNumber, other.bitCount >= row.bitCount, other.type.isFloat == row.type.isFloat,
          !row.type.isFloat || row.type == other.type
        else { return false }
        return payloads.allSatisfy {
          row.bits(in: $0.span.bytes).map { $0 & mask } == other.bits(in: $0.span.bytes).map { $0 & mask }
        }
      }.map(\.name)
    }
  }

  @Test("Sizes, magic, counters, floats and checksums agree with the declaration", arguments: cases)
  func agrees(_ row: Case) throws {
    let comparison = try Comparison(row.name, row.make)
    let text = Comment(rawValue: comparison.text)
    #expect(comparison.decoded == comparison.traffic.samples.count, text)
    let sizes = Set(comparison.inferred.declaredMessages.map(\.layout.fixedSize))
    #expect(sizes == Set(comparison.traffic.samples.map(\.bytes.count)), text)

    let magic = comparison.inferred.declaredMessages[0].layout["magic"]
    #expect(magic?.offset == row.magic?.offset && magic?.type.size == row.magic?.size, text)
    if let bits = row.magic?.bits { #expect(magic?.rule == .equal(bits), text) }

    let checked = comparison.inferred.declaredMessages.filter { !$0.layout.checkFields.isEmpty }
    #expect(checked.count == row.checksums, text)
    if let expected = row.counter {
      let kind = try #require(comparison.message(expected.message)).inferred
      let counter = try #require(kind.layout["counter"], text)
      #expect(comparison.declared(counter, of: expected.message).contains(expected.field), text)
      #expect(counter.bitCount == expected.bits, text)
    }
    if let stream = row.stream { #expect(comparison.text.contains(stream), text) }
    if let expected = row.floats {
      let fields = try #require(comparison.message(expected.message)).inferred.layout.fields
      #expect(fields.count(where: \.type.isFloat) == expected.count, text)
    }
  }

  @Test("Every inferred number is in the declaration", arguments: cases)
  func guesses(_ row: Case) throws {
    let comparison = try Comparison(row.name, row.make)
    for name in Set(comparison.traffic.kinds.map(\.name)) {
      let kind = try #require(comparison.message(name)).inferred
      for field in kind.layout.fields
      where ["value", "number", "counter", "time", "checksum", "length"].contains(where: field.name.hasPrefix) {
        #expect(
          !comparison.declared(field, of: name).isEmpty, "\(name) \(field.name) at \(field.offset): \(comparison.text)")
      }
    }
  }
}

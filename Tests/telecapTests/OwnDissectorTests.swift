import Foundation
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

/// The protocol files that come with telecap, beside the dissectors that Wireshark itself has for these protocols: both read the same
/// thousand messages, and have the same values.
@Suite("Protocol files beside Wireshark's own dissectors", .real("runs tshark")) struct OwnDissectorTests {
  /// A message, and the names that its fields have in both.
  struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    let message: String
    let port: UInt16
    /// What tshark is to know of the port, where it does not.
    var options = ""
    let fields: [(ours: String, theirs: String)]
    /// The field whose length is drawn, and how many bytes it may have.
    var filling: (name: String, counts: ClosedRange<Int>)?

    var testDescription: String { "\(file) \(message)" }
  }

  private static let time: [(String, String)] = [
    ("leap", "ntp.flags.li"), ("version", "ntp.flags.vn"), ("mode", "ntp.flags.mode"), ("stratum", "ntp.stratum"),
    ("poll", "ntp.ppoll"), ("precision", "ntp.precision"), ("root_delay", "ntp.rootdelay"),
    ("root_dispersion", "ntp.rootdispersion"), ("reference_id", "ntp.refid"),
  ]

  static let rows = [
    Row(
      file: "rtp", message: "PACKET", port: 5_004, options: "-d udp.port==5004,rtp",
      fields: [
        ("version", "rtp.version"), ("padding", "rtp.padding"), ("extension", "rtp.ext"), ("csrc_count", "rtp.cc"),
        ("marker", "rtp.marker"), ("payload_type", "rtp.p_type"), ("sequence", "rtp.seq"),
        ("timestamp", "rtp.timestamp"),
        ("ssrc", "rtp.ssrc"),
      ], filling: ("payload", 80...200)),
    Row(
      file: "rtcp", message: "SR", port: 5_005, options: "-d udp.port==5005,rtcp",
      fields: [
        ("version", "rtcp.version"), ("packet_type", "rtcp.pt"), ("length", "rtcp.length"), ("ssrc", "rtcp.senderssrc"),
        ("rtp_timestamp", "rtcp.timestamp.rtp"), ("packet_count", "rtcp.sender.packetcount"),
        ("octet_count", "rtcp.sender.octetcount"),
      ]),
    Row(
      file: "vmc", message: "BLEND", port: 39_539, options: "--enable-heuristic osc_udp",
      fields: [
        ("address", "osc.message.header.path"), ("tags", "osc.message.header.format"), ("name", "osc.message.string"),
        ("value", "osc.message.float"),
      ]),
    Row(
      file: "vmc", message: "TIME", port: 39_539, options: "--enable-heuristic osc_udp",
      fields: [
        ("address", "osc.message.header.path"), ("tags", "osc.message.header.format"), ("time", "osc.message.float"),
      ]),
    Row(file: "ntp", message: "REQUEST", port: 123, fields: time),
    Row(file: "ntp", message: "RESPONSE", port: 123, fields: time),
    Row(file: "ntp", message: "BROADCAST", port: 123, fields: time),
    Row(
      file: "ntp", message: "CONTROL", port: 123,
      fields: [
        ("version", "ntp.flags.vn"), ("mode", "ntp.flags.mode"), ("answer", "ntp.ctrl.flags2.r"),
        ("error", "ntp.ctrl.flags2.error"), ("more", "ntp.ctrl.flags2.more"), ("operation", "ntp.ctrl.flags2.opcode"),
        ("sequence", "ntp.ctrl.sequence"), ("status", "ntp.ctrl.status"), ("association", "ntp.ctrl.associd"),
        ("offset", "ntp.ctrl.offset"), ("size", "ntp.ctrl.count"),
      ]),
    Row(
      file: "artnet", message: "DMX", port: 6_454,
      fields: [
        ("opcode", "artnet.header.opcode"), ("version", "artnet.header.protver"),
        ("sequence", "artnet.output.sequence"),
        ("physical", "artnet.output.physical"), ("universe", "artnet.output.universe"),
        ("length", "artnet.output.length"),
      ], filling: ("slots", 2...512)),
    Row(
      file: "artnet", message: "POLL_REPLY", port: 6_454,
      fields: [
        ("opcode", "artnet.header.opcode"), ("ip", "artnet.poll_reply.ip_address"),
        ("port", "artnet.poll_reply.port_nr"),
        ("net_switch", "artnet.poll_reply.netswitch"), ("sub_switch", "artnet.poll_reply.subswitch"),
        ("oem", "artnet.poll_reply.oem"), ("status1", "artnet.poll_reply.status"),
        ("esta", "artnet.poll_reply.esta_man"),
        ("short_name", "artnet.poll_reply.short_name"), ("long_name", "artnet.poll_reply.long_name"),
        ("report", "artnet.poll_reply.node_report"), ("port_count", "artnet.poll_reply.num_ports"),
        ("style", "artnet.poll_reply.style"), ("mac", "artnet.poll_reply.mac"),
        ("bind_ip", "artnet.poll_reply.bind_ip_address"), ("bind_index", "artnet.poll_reply.bind_index"),
        ("status2", "artnet.poll_reply.status2"),
      ]),
    Row(
      file: "artnet", message: "TRIGGER", port: 6_454,
      fields: [
        ("version", "artnet.header.protver"), ("oem", "artnet.trigger.oemcode"), ("key", "artnet.trigger.key"),
        ("sub_key", "artnet.trigger.subkey"),
      ]),
    Row(
      file: "sacn", message: "DATA", port: 5_568, options: "--enable-heuristic acn -o acn.dmx_enable:TRUE",
      fields: [
        ("preamble", "acn.preamble_size"), ("postamble", "acn.postamble_size"), ("source", "acn.dmx.source_name"),
        ("priority", "acn.dmx.priority"), ("sequence", "acn.dmx.seq_number"), ("preview", "acn.dmx.option_p"),
        ("terminated", "acn.dmx.option_s"), ("universe", "acn.dmx.universe"),
        ("first_address", "acn.dmx.first_property_address"), ("increment", "acn.dmx.increment"),
        ("count", "acn.dmx.count"), ("start_code", "acn.dmx.start_code2"),
      ]),
  ]

  @Test("A thousand messages have the same values", arguments: sampled(rows, oneIn: 4))
  func values(_ row: Row) throws {
    let path = Project.file("Scenarios/protocols/\(row.file).yaml")
    let kind = try #require(
      try ProtocolFile.read(String(contentsOf: path, encoding: .utf8), file: path.path)[row.message])
    var random = SplitMix64(seed: 36)
    let messages = try (0..<1_000).map { _ in try Self.message(kind, row, &random) }
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: row.port))
    var traffic = Traffic()
    for (index, message) in messages.enumerated() {
      try traffic.add(message.bytes, at: index, kind.layoutDirection == .serverToClient ? flow.reversed : flow)
    }
    let folder = try Folder()
    try traffic.pcap().write(to: folder["a.pcap"])
    let names = row.fields.map { "-e \($0.theirs)" }.joined(separator: " ")
    let end = try Program.shell("tshark -r '\(folder["a.pcap"])' \(row.options) -T fields -E occurrence=f \(names)")
    #expect(end.status == 0, "\(end.errors)")
    let lines = end.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try #require(lines.count == messages.count)
    for (message, line) in zip(messages, lines) {
      let theirs = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let expected = row.fields.map { Self.text(of: $0.ours, in: message) }
      let observed = zip(row.fields, theirs).map {
        kind.layout[$0.ours]?.type.isNumber == true ? Self.number($1) ?? $1 : Self.plain($1)
      }
      guard observed != expected else { continue }
      let wrong = zip(row.fields, zip(expected, observed)).filter { $1.0 != $1.1 }
      Issue.record("\(wrong.map { "\($0.ours): ours \($1.0), theirs \($1.1)" }) in \(Hex.text(message.bytes))")
      return
    }
  }

  /// The fields that decide what message it is, and where it ends.
  private static let decided: Set = ["opcode", "mode", "length", "packet_type"]

  /// A message with any bits in the fields that are compared, but constants.
  private static func message(_ kind: MessageKind, _ row: Row, _ random: inout SplitMix64) throws -> Message {
    var message = Message.right(kind)
    if let (name, counts) = row.filling {
      let count = counts.lowerBound + Int(random.next() % UInt64(counts.count))
      try message.set(name, to: .bytes([UInt8](repeating: 0, count: count)))
    }
    for (name, _) in row.fields {
      let field = try #require(kind.layout[name], "\(name)")
      if field.isConstant { continue }
      if decided.contains(name) { continue }
      switch message.value(of: name) {
      case .text: try message.set(name, to: .text(String(repeating: "n", count: Int(random.next() % 17))))
      case .bytes(let bytes):
        try message.set(name, to: .bytes(bytes.map { _ in UInt8(truncatingIfNeeded: random.next()) }))
      // RTP: 64 to 95 with a marker are messages of RTCP (RFC 5761, 4).
      case _ where name == "payload_type": message.put(bits: random.next() % 64, field)
      default: message.put(bits: random.next(), field)
      }
    }
    message.seal()
    return try #require(Message(decoding: message.bytes, as: kind.owner.dialects[0]))
  }

  /// A value as text: numbers as they are on the wire, in as many bits as tshark has for it, without a sign.
  private static func text(of name: String, in message: Message) -> String {
    let row = message.kind.layout[name]
    switch message.value(of: name) {
    case .unsigned(let number)?: return "\(number)"
    case .signed(let number)?: return "\(UInt8(truncatingIfNeeded: number))"
    case .double(let value)?: return "\(row?.bits(ofScaled: value) ?? 0)"
    case .text(let text)?: return text
    // As many digits as tshark prints.
    case .float(let number)?: return String(format: "%g", Double(number))
    case .bytes(let bytes)?: return bytes.map { Hex.text([$0]) }.joined()
    default: return "nothing"
    }
  }

  /// A number in decimal or hexadecimal, or a boolean.
  private static func number(_ text: String) -> String? {
    switch text {
    case "True": "1"
    case "False": "0"
    default:
      (text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)).map { "\($0)" }
    }
  }

  /// Bytes as hexadecimal digits, from an address in either notation; text as it is.
  private static func plain(_ text: String) -> String {
    let parts = text.split(separator: ".").compactMap { UInt8($0) }
    if parts.count == 4 { return parts.map { Hex.text([$0]) }.joined() }
    return text.contains(":") ? text.split(separator: ":").joined() : text
  }
}

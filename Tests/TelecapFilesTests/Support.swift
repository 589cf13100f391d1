import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire

extension RecordingFiles {
  /// Recordings of a program that knows the built-in protocols, on the first of January 1970.
  static let standard = knowing([])

  /// Recordings of a program that also knows these protocols from files.
  static func knowing(_ declared: [WireProtocol]) -> RecordingFiles {
    RecordingFiles(
      builtIn: Protocols.builtIn, declared: declared,
      maker: Maker(version: "0", host: "here", commandLine: "telecap test") { Timestamp(nanoseconds: 7) },
      reading: { try ProtocolFile.read($0, file: $1, beside: ProtocolSurroundings($2)) })
  }
}

extension PacketList {
  static let phone = Endpoint(IPAddress(v4: 0xC000_0202), port: 40_001)
  static let host = Endpoint(IPAddress(v4: 0xC000_0201), port: 50_000)

  /// A HELLO, its ACK and three poses, 20 ms apart; to a host at this port.
  static func session(port: UInt16 = host.port) throws -> PacketList {
    let up = Flow(.udp, from: phone, to: Endpoint(host.address, port: port))
    var list = PacketList(interface: "test")
    let payloads = [(up, Bytes.hello), (up.reversed, Bytes.ack)] + [1, 2, 3].map { (up, Bytes.pose($0)) }
    for (index, (flow, bytes)) in payloads.enumerated() {
      try list.add(bytes, flow, at: Timestamp(nanoseconds: Int64(index) * 20_000_000))
    }
    return list
  }
}

import Foundation
import TelecapRecording
import TelecapTestSupport
import Testing

/// A client whose own port happens to be that of another protocol: its payloads decide what they are, in every command.
@Suite(.real("runs telecap")) struct ContestedPortTests {
  private static let osc = """
    protocol: osc
    byte-order: big
    carriers: [{name: udp, over: udp, port: 9000}]
    header:
      - {name: address, type: text 8, is: identity, equals: /rotatio}
      - {name: address_rest, type: text 4, is: identity, equals: "n\\0\\0\\0"}
      - {name: types, type: text 8, is: identity, equals: ",fff\\0\\0\\0\\0"}
    messages:
      - name: ROTATION
        from: client
        fields: [{name: yaw, type: f32}, {name: pitch, type: f32}, {name: roll, type: f32}]
    streams: [{name: rotation, message: ROTATION, values: [yaw, pitch, roll]}]
    """
  private static let message = Array("/rotation\0\0\0,fff\0\0\0\0".utf8) + [UInt8](repeating: 0, count: 12)

  private let folder: Folder

  /// Three rotations from the port of TELE, and two movements of a mouse from there over UDP and one click over TCP.
  init() throws {
    folder = try Folder()
    _ = try folder.write(Array(Self.osc.utf8), to: "osc.yaml")
    let session = try RecordedSession(folder["a.pcapng"])
    let client = Endpoint(RecordedSession.phone.address, port: 50_000)
    for step in 0..<3 {
      try session.datagram(
        Self.message, from: client, to: Endpoint(RecordedSession.host.address, port: 9_000), at: Int64(step))
    }
    for step in 0..<2 {
      try session.datagram([0xaa, 0, 1, 1, 0], from: client, to: RecordedSession.pointer, at: 10 + Int64(step))
    }
    try session.open(client, RecordedSession.clicks, at: 20)
    try session.stream([0xbb, 1, 0, 0, 0], client, RecordedSession.clicks, at: 21)
    try session.stream([0xbb, 0, 0, 0, 0], client, RecordedSession.clicks, at: 22)
    try session.close(client, RecordedSession.clicks, at: 23)
    try session.finish()
  }

  private func telecap(_ line: String) throws -> Finished {
    try Program.shell("cd '\(folder.path)' && $telecap \(line) --protocol ./osc.yaml")
  }

  @Test("dissect and import name the protocol that the payload is of, and find nothing wrong")
  func dissected() throws {
    let end = try telecap("dissect a.pcapng --format json")
    let names = end.output.split(separator: "\n").filter { $0.contains("\"type\"") }
    #expect(end.status == 0 && names.count { $0.contains("ROTATION") } == 3, "\(end)")
    #expect(names.count { $0.contains("MOVEMENT") } == 2 && names.count { $0.contains("CONTROL") } == 2, "\(end)")
    #expect(!end.output.contains("MALFORMED"))
  }

  @Test("replay sends each protocol's packets as that of its sender")
  func replayed() throws {
    let sink = try Socket.udp()
    #expect(try telecap("replay a.pcapng --role osc-client --speed max --to \(sink.address)").status == 0)
    #expect(sink.received() == [Self.message, Self.message, Self.message])
    let listener = try Socket.listener()
    let end = try telecap("replay a.pcapng --role mouse --speed max --to \(sink.address) --tcp-port \(listener.port)")
    #expect(end.status == 0 && sink.received() == [[0xaa, 0, 1, 1, 0], [0xaa, 0, 1, 1, 0]], "\(end)")
    #expect(try listener.accepted().receive(10) == [0xbb, 1, 0, 0, 0, 0xbb, 0, 0, 0, 0])
  }
}

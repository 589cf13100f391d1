import TelecapFiles
import TelecapRecording
import TelecapReplay
import TelecapStore
import TelecapTestSupport
import Testing

@testable import TelecapWeb

/// Which messages are of one conversation, in a capture of more flows than are kept.
@Suite struct ConversationsTests {
  private static let host = Endpoint(.loopback, port: 50_000)

  private static func hello(from phone: Endpoint, _ list: inout PacketList, at time: Int64) throws {
    let hello = [UInt8]("TELE".utf8) + [1, 1, 7, 0, 0, 0] + [UInt8]("ABC123".utf8) + [0, 0]
    try list.add(hello, Flow(.udp, from: phone, to: host), at: Timestamp(nanoseconds: time))
  }

  private static func ack(to phone: Endpoint, _ list: inout PacketList, at time: Int64) throws {
    let ack = [UInt8]("TELE".utf8) + [2, 1, 0, 0]
    try list.add(ack, Flow(.udp, from: host, to: phone), at: Timestamp(nanoseconds: time))
  }

  @Test("Both directions of a conversation have the same number, and a message outside has none")
  func numbers() throws {
    let phones = (0..<1_500).map { Endpoint(.loopback, port: UInt16(10_000 + $0)) }
    var list = PacketList(interface: "test")
    for (index, phone) in phones.enumerated() { try Self.hello(from: phone, &list, at: Int64(index)) }
    for (index, phone) in phones.enumerated() { try Self.ack(to: phone, &list, at: Int64(2_000 + index)) }
    try list.add(Bytes.pose(1), Flow(.udp, from: phones[0], to: Self.host), at: Timestamp(nanoseconds: 9_000))
    let recording = RecordingFiles.standard.recording(list, ports: try RecordingFiles.standard.ports([:]))
    let numbers = try recording.withCapture { reader in
      var conversations = Conversations(reader)
      return try (1...3_001).map { try conversations.number(of: #require(try reader.message($0))) }
    }.0
    #expect(Array(numbers[..<1_500]) == Array(numbers[1_500..<3_000]))
    #expect(Set(numbers[..<1_500]).count == 1_500)
    #expect(numbers[3_000] == 0)
  }
}

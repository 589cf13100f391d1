import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapConformance

/// A log with its messages: each is decoded once, and keeps its place whatever is taken out of the log.
@Suite struct DecodedLogTests {
  /// Two poses in three pieces over TCP, an answer over UDP, and events before, between and after them.
  private static func log() throws -> RunLog {
    let poses = try [1, 2].map { try Message(.pose, fields: ["seq": .unsigned($0), "qw": .float(1)]).bytes }
    let stream = poses.flatMap { framed($0) }
    let (first, second) = (Array(stream.prefix(5)), Array(stream.dropFirst(5).dropLast(5)))
    var log = RunLog(shows: [.poses, .sessions])
    let entries: [RunLog.What] = [
      .event(.poseApplied(PoseSample(seq: 7))), .opened("a"), .sent(stream, packet: 1, by: "a", over: .tcp),
      .delivered(first, packet: 1, from: "a", over: .tcp, sentAt: .zero),
      .event(.poseApplied(PoseSample(seq: 8))), .event(.sessionClosed(hostEnd, sessionID: 1, .teardown)),
      .delivered(second, packet: 1, from: "a", over: .tcp, sentAt: .zero),
      .delivered(Array(stream.suffix(5)), packet: 1, from: "a", over: .tcp, sentAt: .zero),
      .replied(Message.ack(.ok).bytes, to: "a", over: .udp), .event(.poseApplied(PoseSample(seq: 9))),
    ]
    for (index, what) in entries.enumerated() { log.note(what, at: Timestamp(nanoseconds: Int64(index))) }
    return log
  }

  @Test("A message of a stream belongs to the piece in which it ends")
  func pieces() throws {
    let decoded = DecodedLog(try Self.log(), Tele.wire)
    #expect(decoded.sent.map(\.entry) == [2, 2] && decoded.sent.allSatisfy { $0.kind == .pose })
    #expect(
      decoded.delivered.map(\.entry) == [6, 7] && decoded.delivered.allSatisfy { $0.kind == .pose && $0.isValid })
    #expect(decoded.delivered.map(\.time.nanoseconds) == [6, 7])
    #expect(decoded.replies.map(\.entry) == [8] && decoded.replies.map(\.kind) == [.ack])
  }

  @Test("After events are hidden, each message still refers to the entry that carried it")
  func hidden() throws {
    let decoded = DecodedLog(try Self.log(), Tele.wire).without([.poses])
    #expect(decoded.log.entries.count == 7 && decoded.log.shows == [.sessions])
    #expect(decoded.sent.map(\.entry) == [1, 1])
    #expect(decoded.delivered.map(\.entry) == [4, 5] && decoded.replies.map(\.entry) == [6])
    for message in decoded.delivered + decoded.replies {
      #expect(decoded.log.entries[message.entry].time == message.time)
    }
    // The same messages come out of that log when it is decoded anew.
    let anew = DecodedLog(decoded.log, Tele.wire)
    #expect(anew.delivered.map(\.entry) == decoded.delivered.map(\.entry))
    #expect(anew.delivered.map(\.bytes) == decoded.delivered.map(\.bytes))
  }

  @Test("A log of a device has no messages")
  func device() throws {
    let decoded = DecodedLog(try Self.log(), nil)
    #expect(decoded.sent.isEmpty && decoded.delivered.isEmpty && decoded.replies.isEmpty)
  }
}

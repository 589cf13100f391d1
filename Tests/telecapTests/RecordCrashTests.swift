import Foundation
import TelecapPlatform
import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@Suite("record that is killed", .serialized, .real("runs telecap"))
struct RecordCrashTests {
  /// Sends a pose each millisecond on a thread of its own, and notes when.
  private final class Sender: Sendable {
    private let sent: Locked<[ContinuousClock.Instant]>
    private let sending: Repetition

    init(_ talk: Talk, to port: UInt16) {
      let sent = Locked<[ContinuousClock.Instant]>([])
      self.sent = sent
      sending = Repetition { count in
        // Noted before it is sent: what was sent later cannot count as sent earlier.
        sent.with { $0.append(.now) }
        try? talk.phone.send(Bytes.pose(UInt16(truncatingIfNeeded: count + 1)), to: port)
        usleep(1_000)
      }
    }

    /// The number of a pose that was sent; nil where it is none.
    static func number(of bytes: [UInt8]) -> Int? {
      guard bytes.count > 7 else { return nil }
      let number = UInt16(bytes[6]) | UInt16(bytes[7]) << 8
      return bytes == Bytes.pose(number) ? Int(number) : nil
    }

    /// The times of all datagrams, whose seq counts from 1.
    func stop() -> [ContinuousClock.Instant] {
      sending.stop()
      return sent.with { $0 }
    }
  }

  @Test(
    "Killed at any moment the file opens and misses at most the last 250 ms",
    .enabled(if: isRoot, "capturing needs root"), arguments: sampled(Array(0..<180), oneIn: 18))
  func killedAtAnyMomentTheFileOpensAndMissesAtMostTheLast250Ms(run: Int) throws {
    let talk = try Talk()
    try kill(run, talk, ["record"] + talk.options, to: talk.host.port, link: 14)
  }

  @Test("As a relay too", arguments: sampled(Array(200..<220), oneIn: 5))
  func asARelayToo(run: Int) throws {
    let talk = try Talk()
    let port = try freePort()
    let options = ["record", "--relay", "udp:\(port)=127.0.0.1:\(talk.host.port)"] + talk.options
    try kill(run, talk, options, to: port, link: 0)
  }

  /// - Parameter link: how many bytes stand before IPv4 in a frame.
  private func kill(_ seed: Int, _ talk: Talk, _ arguments: [String], to port: UInt16, link: Int) throws {
    let folder = try Folder()
    let capture = folder["session.telecap"]
    let sender = Sender(talk, to: port)
    let program = try Program.start(arguments + ["-o", capture])
    try program.wait(for: "recording ")
    let begun = ContinuousClock.now
    var random = SplitMix64(seed: UInt64(seed))
    usleep(UInt32.random(in: 20_000...900_000, using: &random))
    let killed = ContinuousClock.now
    program.signal(SIGKILL)
    #expect(try program.finish().status == 128 + SIGKILL)
    let sent = sender.stop()

    let due = sent.filter { $0 < killed - .milliseconds(250) }.count
    let frames = try sql(capture, "SELECT lower(hex(substr(frame, \(link + 29)))) FROM packet ORDER BY id")
    // What came before "recording" may be there, too; from its first packet on there is no hole.
    let early = sent.filter { $0 <= begun }.count
    let first = try (frames.first.map { hex($0[0]) }).map { try #require(Sender.number(of: $0)) } ?? early + 1
    #expect(first <= early + 1, "the first is \(first), and \(early) were sent before it said that it records")
    #expect(first - 1 + frames.count >= due, "\(due) were sent more than 250 ms before the end")
    #expect(frames.map { hex($0[0]) } == frames.indices.map { Bytes.pose(UInt16(first + $0)) })
    #expect(try sql(capture, "PRAGMA integrity_check") == [["ok"]])

    let dissected = try Program.run(
      ["dissect", capture, "--summary", "--format", "json", "--where", "type = 'POSE'"] + talk.options)
    #expect(dissected.status == 0, "\(dissected.errors)")
    #expect(try dissected.json().first?["messages"] as? Int == frames.count)
    #expect(try sql(capture, "SELECT COUNT(*) FROM tele_pose") == [["\(frames.count)"]])
  }
}

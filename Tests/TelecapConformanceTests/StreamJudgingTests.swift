import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapConformance

/// The counts of a log: the same over each transport.
@Suite struct StreamJudgingTests {
  private func log(_ carrier: Carrier, piece: Int) throws -> RunLog {
    var log = RunLog(shows: [.poses], settle: 0)
    log.note(.opened("a"), at: .zero)
    for seq in 1...3 as ClosedRange<UInt64> {
      let pose = try Message(.pose, fields: ["seq": .unsigned(seq), "qw": .float(1)]).bytes
      let bytes = carrier == .tcp ? framed(pose) : pose
      let time = Timestamp(nanoseconds: Int64(seq) * 1_000_000)
      for start in stride(from: 0, to: bytes.count, by: carrier == .tcp ? piece : bytes.count) {
        let part = carrier == .tcp ? Array(bytes[start..<min(start + piece, bytes.count)]) : bytes
        log.note(.sent(part, packet: Int(seq), by: "a", over: carrier), at: time)
        log.note(.delivered(part, packet: Int(seq), from: "a", over: carrier, sentAt: time), at: time)
      }
    }
    return log
  }

  @Test("A stream over TCP, in pieces of any size, gives the same counts as over UDP", arguments: [1, 7, 100])
  func sent(_ piece: Int) throws {
    for carrier in [.udp, .tcp] as [Carrier] {
      let log = DecodedLog(try log(carrier, piece: piece), Tele.wire)
      let fidelity = StreamJudging([.pose]).read(log).oracle.fidelity
      #expect(fidelity.sent == 3 && fidelity.delivered == 3, "\(carrier)")
    }
  }

  @Test("Half a message on one connection does not begin a message on the next")
  func halves() throws {
    var log = RunLog(shows: [.poses], settle: 0)
    let bytes = framed(try Message(.pose, fields: ["seq": .unsigned(1), "qw": .float(1)]).bytes)
    for (index, part) in [Array(bytes.prefix(9)), bytes].enumerated() {
      log.note(.opened("a"), at: .zero)
      log.note(.sent(part, packet: index, by: "a", over: .tcp), at: .zero)
      log.note(.closed("a"), at: .zero)
    }
    #expect(StreamJudging([.pose]).read(DecodedLog(log, Tele.wire)).oracle.fidelity.sent == 1)
  }
}

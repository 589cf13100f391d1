import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import Testing

@testable import TelecapTransport

/// The probes by which telecap detects that a program is ready are not part of any verdict.
@Suite("Probes for readiness") struct ReadinessProbeTests {
  private static let file = try? SystemFile(
    "role: host\ncommand: [a]\naddresses: {udp: free}\nshows: {events: [{is: pose, when: {event: pose}}]}",
    file: "s.yaml", suites: .all)

  /// The events of a host that printed these lines so many ms after the run began.
  private static func events(_ lines: [(Int64, String)], probe: Nanoseconds?, deliveredAt: Int64) throws -> [PeerEvent]
  {
    let file = try #require(file)
    var log = RunLog(shows: file.aspects)
    if let probe { log.probes = [ReadinessProbe(peer: "a", carrier: .udp, before: probe)] }
    log.note(
      .delivered([1], packet: 1, from: "a", over: .udp, sentAt: .zero),
      at: Timestamp(nanoseconds: deliveredAt * 1_000_000))
    log.end = Timestamp(nanoseconds: 10_000_000_000)
    let printed = lines.map {
      ProgramOutput.Line(time: $0.0 * 1_000_000, text: Array($0.1.utf8), isShown: true, source: .stdout)
    }
    return RunLogBuilder.add(printed, since: 0, to: log, of: file).entries.compactMap { entry in
      if case .event(let event) = entry.what { event } else { nil }
    }
  }

  private static let pose = #"{"event": "pose", "seq": 0, "x": 0, "y": 0, "z": 0}"#

  @Test("A pose that is shown before any delivery is the probe's, and no event")
  func caused() throws {
    #expect(try Self.events([(-20, Self.pose), (5, Self.pose)], probe: 30_000_000, deliveredAt: 300).isEmpty)
  }

  @Test("A pose counts without a probe, after a delivery, or long after the probe")
  func counts() throws {
    #expect(try Self.events([(5, Self.pose)], probe: nil, deliveredAt: 300).count == 1)
    #expect(try Self.events([(305, Self.pose)], probe: 30_000_000, deliveredAt: 300).count == 1)
    #expect(try Self.events([(1_500, Self.pose)], probe: 30_000_000, deliveredAt: 3_000).count == 1)
  }

  @Test("A probe is described in the run")
  func words() {
    #expect(
      ReadinessProbe(peer: "a", carrier: .udp, before: 12_500_000).words
        == "readiness probe of telecap: an empty datagram from a, 12 ms before the run")
  }
}

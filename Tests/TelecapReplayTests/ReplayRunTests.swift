import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapTele
import TelecapTestSupport
import TelecapTransport
import TelecapWire
import Testing

@Suite struct ReplayRunTests {
  @Test("A model is judged by what the plan lets through")
  func model() throws {
    let whole = try ReplayRun.poses(100).againstModel()
    #expect(whole.report.packets == 101 && whole.report.oracle?.verdict() == .pass && whole.damage == nil)
    #expect(whole.report.oracle?.fidelity.delivered == 100)
    #expect(whole.report.destination == "our host in virtual time" && whole.report.role == .phone)
    let lossy = try ReplayRun.poses(100, "--loss 50%")
    let result = try lossy.againstModel()
    #expect(result.report.oracle?.verdict() == .pass && result.report.packets < 90)
    var made = CaptureDigest()
    let fed = try lossy.feeder.plan { made.add($0.span.bytes) }
    #expect(result.report.planDigest == made && made == fed.planDigest)
  }

  @Test("The same in virtual time: what a dry run lists is what a model is given")
  func list() throws {
    let run = try ReplayRun.poses(50, "--duplicate 100%")
    let routes = try ReplayRoutes(of: run.feeder.source, run.survey, to: nil, tcpPort: nil)
    var due: [Int64] = []
    var payloads: Set<[UInt8]> = []
    let fed = try run.list(routes) { delivery, bytes in
      due.append(delivery.due)
      payloads.insert(bytes.withUnsafeBytes { Array($0) })
      #expect(delivery.destination == Endpoint(.loopback, port: 50_000) && delivery.carrier == .udp)
    }
    let delivered = try run.againstModel().report.packets
    #expect(due.count == 102 && delivered == 102 && payloads.count == 51)
    #expect(due == due.sorted())
    #expect(fed.rates.account(of: run.feeder.header.impairments).count == 1)
  }

  @Test("Sockets get every byte, and the recorder writes what was sent")
  func sockets() throws {
    let folder = try Folder()
    let socket = try Socket.udp()
    let run = try ReplayRun.poses(20)
    let target = HostPort(host: "127.0.0.1", port: UInt16(socket.port))
    let routes = try ReplayRoutes(of: run.feeder.source, run.survey, to: target, tcpPort: nil)
    let recorder = try ReplayRecorder(path: folder["sent.pcapng"], tool: "test", comment: "")
    let (report, damage) = try run.overSockets(routes, times: 2, wait: .milliseconds(1), recorder: recorder)
    #expect(damage == nil && report.runs == 2 && report.packets == 42 && report.sending?.sent == 42)
    var frames = 0
    var reader = try CaptureFileReader(path: folder["sent.pcapng"])
    try reader.forEach { _, _ in frames += 1 }
    #expect(frames == 42)
  }

  @Test("One of our peers over sockets ends with verdicts as a model does")
  func peer() async throws {
    let (report, damage) = try await ReplayRun.poses(30).againstPeer(wait: .milliseconds(1))
    #expect(damage == nil && report.oracle?.fidelity.delivered == 30)
    #expect(report.destination.hasPrefix("our host at udp 127.0.0.1:"))
    #expect(report.replies.map(\.name).contains("ACK OK"))
  }

  @Test("A name without an address, and an address that may not be sent to, are refused before anything is sent")
  func routes() throws {
    let run = try ReplayRun.poses(1)
    let broadcast = HostPort(host: "255.255.255.255", port: nil)
    #expect(throws: DestinationError.self) {
      try ReplayRoutes(of: run.feeder.source, run.survey, to: broadcast, tcpPort: nil)
    }
  }
}

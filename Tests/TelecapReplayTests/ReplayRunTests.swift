import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapProtocols
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

  @Test("A replay that an error ends tells what it sent before the end, and then the error", .real("a socket"))
  func endedByAnError() throws {
    struct FullDisk: Error {}
    let (folder, socket) = (try Folder(), try Socket.udp())
    // Its last pose is due a second after the first: the recorder writes before.
    let run = try ReplayRun.poses(200)
    let target = HostPort(host: "127.0.0.1", port: UInt16(socket.port))
    let routes = try ReplayRoutes(of: run.feeder.source, run.survey, to: target, tcpPort: nil)
    for (tearsDown, told) in [(true, ["ended early; sent before the end: 1 BYE"]), (false, [])] {
      var messages: [String] = []
      let recorder = try ReplayRecorder(
        path: folder["sent.pcapng"], tool: "test", comment: "", keep: { throw FullDisk() })
      #expect(throws: FullDisk.self) {
        try run.overSockets(
          routes, wait: .milliseconds(1), recorder: recorder, tearsDown: tearsDown, tell: { messages.append($0) })
      }
      #expect(messages == told)
      let received = socket.received()
      #expect((1..<202).contains(received.count))
      #expect((received.last == Message.bye(sessionID: 7).bytes) == tearsDown)
    }
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

  @Test("Our server of a protocol in a file listens, so that what was recorded over TCP reaches it")
  func declaredServer() async throws {
    let lamp = try ProtocolFile.read(
      """
      protocol: lamp
      carriers: [{name: udp, over: udp, port: 7000}, {name: tcp, over: tcp, port: 7000}]
      header: [{name: type, type: u8, is: type}]
      messages: [{name: DIM, type: 1, from: client, fields: [{name: number, type: u16}, {name: level, type: f32}]}]
      session: {opens: with-any-message}
      streams: [{name: level, message: DIM, order: number, values: [level]}]
      """, file: "lamp.yaml")
    var list = PacketList(interface: "test")
    let up = Flow(.tcp, from: PacketList.phone, to: Endpoint(PacketList.host.address, port: 7000))
    for number in 0..<3 as Range<UInt8> {
      try list.add([7, 0, 1, number, 0, 0, 0, 0, 0x3f], up, at: Timestamp(nanoseconds: Int64(number) * 1_000_000))
    }
    let source = ReplaySource(
      list, name: "lamp", as: Role(lamp, .client), ports: Ports([lamp]), in: .builtIn)
    let run = try ReplayRun(of: source, suites: Suites([.declared(by: lamp)])) { survey in
      PlanHeader(seed: 1, capture: survey.digest.description, selection: "", impairments: .none)
    }
    let (report, damage) = try await run.againstPeer(wait: .milliseconds(1))
    #expect(damage == nil && report.destination.contains("tcp 127.0.0.1:"), "\(report.destination) \(report.packets)")
    #expect(report.oracle?.fidelity.delivered == 3, "\(report)")
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

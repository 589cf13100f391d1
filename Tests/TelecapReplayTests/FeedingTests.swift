import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapStore
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// What a sink was given.
private struct Taken: UnitSink {
  var units: [(packet: Int, bytes: [UInt8], time: Int64)] = []
  var lines: [PlanLine] = []
  var pieces: [StreamPiece] = []

  mutating func add(_ unit: ReplayUnit, pieces: [StreamPiece], _ bytes: RawSpan, at time: Int64) {
    self.pieces += pieces
    units.append((unit.packet, bytes.withUnsafeBytes { Array($0) }, time))
  }

  mutating func add(_ line: PlanLine, sentAt time: Int64) { lines.append(line) }
}

@Suite struct FeedingTests {
  @Test("The length of a recording goes on after its clock was set back")
  func steppedClock() throws {
    let flow = Flow(.udp, from: Endpoint(.loopback, port: 40_000), to: Endpoint(.loopback, port: 50_000))
    var list = PacketList(interface: "lo")
    for time in [5_000_000, 5_000_010, 1_400_000, 1_400_010] as [Int64] {
      try list.add([UInt8](Message.bye(sessionID: 1).bytes), flow, at: Timestamp(nanoseconds: time * 1_000_000))
    }
    let source = ReplaySource(list, name: "stepped", as: .phone, ports: .standard, in: .builtIn)
    let reading = try source.read { _, _, _ in }
    let (start, end) = (try #require(reading.start), try #require(reading.end))
    #expect(end.nanoseconds(since: start) == 30_000_000)
    #expect(try source.part(holding: 3, noLongerThan: 1_000_000_000) == 30_000_000)
  }

  @Test("A survey counts what one side sent; its fingerprint is of that alone")
  func survey() throws {
    let phone = try RecordingScan(.poses(10))
    let host = try RecordingScan(.poses(10, as: .host))
    #expect(phone.units == 11 && phone.datagrams == 11 && host.units == 1)
    #expect(phone.reading.flows == [Flow(.udp, from: PacketList.phone, to: PacketList.host)])
    #expect(phone.reading.lastPacket == 12 && phone.notes == [])
    #expect(phone.digest == (try RecordingScan(.poses(10))).digest && phone.digest != host.digest)
    #expect(throws: ReplayProblem.nothing(recording: "poses", .mouse, notes: [])) {
      try RecordingScan(.poses(3, as: .mouse))
    }
  }

  @Test("Who sends is found: a phone before a mouse before a host; nobody is told")
  func role() throws {
    let folder = try Folder()
    func source(_ packets: PacketList, _ name: String) throws -> ReplaySource {
      try RecordingFiles.builtIn.importing(.packets(packets), into: folder[name], force: true, ports: .standard)
      return try ReplaySource(RecordingFiles.builtIn.recording(folder[name]), as: nil)
    }
    #expect(try source(.poses(1), "phone.telecap").role == .phone)
    var host = PacketList(interface: "test")
    try host.add(Bytes.haptic, Flow(.udp, from: PacketList.host, to: PacketList.phone), at: .zero)
    #expect(try source(host, "host.telecap").role == .host)
    let nobody = ReplayProblem.nobody(recording: folder["none.telecap"], of: [.phone, .mouse, .host], notes: [])
    #expect(throws: nobody) {
      try source(PacketList(interface: "test"), "none.telecap")
    }
    #expect(throws: ReplayProblem.standardInput) {
      try ReplaySource(RecordingFiles.builtIn.recording("-"), as: "phone")
    }
  }

  @Test("A side is chosen by its name; one that is not there is told with those that are")
  func names() throws {
    let folder = try Folder()
    try RecordingFiles.builtIn.importing(.packets(.poses(1)), into: folder["a.telecap"], force: true, ports: .standard)
    func source(_ name: String) throws -> ReplaySource {
      try ReplaySource(RecordingFiles.builtIn.recording(folder["a.telecap"]), as: name)
    }
    #expect(try source("host").role == .host)
    try source("phone").check(isFor: "host")
    #expect(throws: ReplayProblem.otherReceiver(sender: .phone, receiver: .mouseHost)) {
      try source("phone").check(isFor: "mouse-host")
    }
    let roles: [Role] = [.phone, .mouse, .host, .mouseHost]
    let problem = ReplayProblem.noRole("hosts", among: roles)
    #expect(throws: problem) { try source("hosts") }
    #expect("\(problem)" == "there is no role \"hosts\"; there are phone, mouse, host and mouse-host")
    #expect(problem.advice == "did you mean host?")
  }

  @Test("A scenario takes what was sent by the ports that a capture was made with")
  func payloads() throws {
    let folder = try Folder()
    let up = Flow(.udp, from: PacketList.phone, to: Endpoint(PacketList.host.address, port: 50_010))
    var list = PacketList(interface: "test")
    try list.add(Bytes.ack, up.reversed, at: Timestamp(nanoseconds: 1_000))
    try list.add(Bytes.pose(7), up, at: Timestamp(nanoseconds: 3_000))
    try RecordingFiles.builtIn.importing(
      .packets(list), into: folder["a.telecap"], force: true, ports: Ports.standard.with(["tele-udp": 50_010]))
    let capture = try RecordingFiles.builtIn.recording(folder["a.telecap"])
    let payloads = try ReplaySource(capture, as: "phone").payloads()
    #expect(payloads.map(\.bytes) == [Bytes.pose(7)] && payloads.map(\.time) == [2_000])
  }

  @Test("Where the clock was set back what was sent goes on after the gap before")
  func clockStep() throws {
    let (folder, hour) = (try Folder(), 3_600_000_000_000 as Int64)
    let up = Flow(.udp, from: PacketList.phone, to: PacketList.host)
    var list = PacketList(interface: "test")
    for (number, time) in ([hour, hour + 5_000, 7_000, 9_000] as [Int64]).enumerated() {
      try list.add(Bytes.pose(UInt16(number)), up, at: Timestamp(nanoseconds: time))
    }
    let capture = folder["a.telecap"]
    try RecordingFiles.builtIn.importing(.packets(list), into: capture, force: true, ports: .standard)
    let payloads = try ReplaySource(RecordingFiles.builtIn.recording(capture), as: "phone").payloads()
    #expect(payloads.map(\.time) == [0, 5_000, 10_000, 12_000])
  }

  @Test("A scenario takes what a stream still holds at the end too, behind a hole")
  func heldBack() throws {
    let folder = try Folder()
    var list = PacketList(interface: "test")
    let flow = Flow(.tcp, from: PacketList.phone, to: PacketList.host)
    for (index, bytes) in [[1] as [UInt8], [2, 2], [3, 3, 3]].enumerated() {
      try list.add(bytes, flow, at: Timestamp(nanoseconds: Int64(index)))
    }
    var writer = try PcapWriter(path: folder["a.pcap"], linkType: list.interface.linkType)
    try list.forEach { if $0.number != 2 { try writer.write($0, $1) } }
    try writer.finish()
    let payloads = try ReplaySource(RecordingFiles.builtIn.recording(folder["a.pcap"]), as: "phone").payloads()
    #expect(payloads.map(\.bytes).filter { !$0.isEmpty } == [[1], [3, 3, 3]])
  }

  @Test("Units come at their times with a line each; the plan's text is what is fingerprinted")
  func feed() throws {
    let run = try ReplayRun.poses(20, "--loss 50%")
    var taken = Taken()
    var nothing: MessageRewriter?
    let fed = try run.feeder.feed(&taken, &nothing)
    #expect(taken.units.map(\.packet) == [1] + Array(3...22))
    #expect(taken.units.map(\.time) == (0...20).map { Int64($0) * 5_000_000 })
    #expect(taken.lines.map(\.packet) == taken.units.map(\.packet))
    #expect(taken.lines.contains { $0.verdict == .drop } && taken.lines.contains { $0.verdict == .deliver })
    var text: [UInt8] = []
    let planned = try run.feeder.plan { text += $0 }
    #expect(planned.planDigest == fed.planDigest && fed.damage == nil)
    var digest = CaptureDigest()
    digest.add(text.span.bytes)
    #expect(digest == fed.planDigest)
  }

  @Test("What was kept is what is read again where there is no room for it", arguments: [Carrier.udp, .tcp])
  func kept(_ carrier: Carrier) throws {
    var list = PacketList(interface: "test")
    let flow = Flow(carrier, from: PacketList.phone, to: PacketList.host)
    for (index, size) in [1, 0, 46, 1_400, 3].enumerated() {
      try list.add([UInt8](repeating: UInt8(index), count: size), flow, at: Timestamp(nanoseconds: Int64(index)))
    }
    let source = ReplaySource(list, name: "list", as: .phone, ports: .standard, in: .builtIn)
    func feed(_ limit: Int) throws -> (Taken, UnitFeeder.Fed) {
      let survey = try RecordingScan(source, keeping: limit)
      #expect((survey.spool == nil) == (limit == 0))
      let feeder = try UnitFeeder(
        source: source, survey, header: PlanHeader(seed: 3, capture: survey.digest.description))
      var nothing: MessageRewriter?
      var taken = Taken()
      let fed = try feeder.feed(&taken, &nothing)
      return (taken, fed)
    }
    let (kept, read) = (try feed(UnitSpool.limit), try feed(0))
    #expect(kept.1.planDigest == read.1.planDigest && kept.0.lines == read.0.lines)
    #expect(kept.0.units.map(\.bytes) == read.0.units.map(\.bytes) && kept.0.pieces == read.0.pieces)
    #expect(kept.0.units.count == 5 && kept.0.pieces.isEmpty == (carrier == .udp))
  }

  @Test("A recording of more flows than a replay tells apart is refused by its packet, and a part of it replays")
  func flowsWithoutEnd() throws {
    var list = PacketList(interface: "test")
    for number in 0...ReplaySource.mostFlows {
      let from = Endpoint(IPAddress(v4: 0x0a00_0000 + UInt32(number)), port: 40_000)
      try list.add([0], Flow(.udp, from: from, to: PacketList.host), at: Timestamp(nanoseconds: Int64(number)))
    }
    let source = ReplaySource(list, name: "flood", as: .phone, ports: .standard, in: .builtIn)
    let last = ReplaySource.mostFlows + 1
    #expect(throws: ReplayProblem.tooManyFlows(recording: "flood", packet: last, most: last - 1)) {
      try source.read { _, _, _ in }
    }
    #expect(try source.read(upTo: last - 1) { _, _, _ in }.flows.count == last - 1)
  }

  @Test("A saved plan is carried out in place of one that is made, and one that is none is told")
  func savedPlan() throws {
    let folder = try Folder()
    let run = try ReplayRun.poses(20, "--loss 50%")
    var text: [UInt8] = []
    let made = try run.feeder.plan { text += $0 }
    let path = try folder.write(text, to: "x.plan")
    func again(_ path: String) throws -> (Taken, UnitFeeder.Fed) {
      let header = try SavedPlan.opening(path)?.header
      let feeder = try UnitFeeder(source: run.feeder.source, run.survey, header: try #require(header), planPath: path)
      var taken = Taken()
      var nothing: MessageRewriter?
      let fed = try feeder.feed(&taken, &nothing)
      return (taken, fed)
    }
    let (taken, whole) = try again(path)
    #expect(taken.lines.count == 21 && whole.planDigest == made.planDigest && whole.damage == nil)
    let lines = text.split(separator: UInt8(ascii: "\n"))
    let broken = try folder.write(
      Array(lines[...5].joined(separator: [10])) + Array("\n{nonsense\n".utf8), to: "y.plan")
    #expect(throws: SavedPlanError.self) { try again(broken) }
    #expect(throws: FileError.self) { _ = try SavedPlan.opening(folder["none"]) }
  }

  @Test("Only what an SQL condition chooses suffers")
  func selection() throws {
    let source = try ReplaySource.poses(3)
    let chosen = try source.recording.packets(where: "seq = 1")
    #expect((1...5).filter(chosen.contains) == [4])
    let loss = try Impairments(parsing: "--loss 100%")
    func run(_ condition: String?, _ network: Impairments) throws {
      try ReplayRun(of: source, where: condition) {
        PlanHeader(seed: 1, capture: $0.digest.description, impairments: network)
      }.refuseIdle()
    }
    try run("seq = 1", loss)
    try run(nil, loss)
    try run(nil, .none)
    #expect(throws: ReplayProblem.choosesNothing("seq = 9")) { try run("seq = 9", loss) }
  }
}

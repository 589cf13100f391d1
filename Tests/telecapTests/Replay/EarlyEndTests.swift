import Foundation
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// A replay that ends before its recording does leaves no motor running, no button down and no session open.
@Suite(.real("runs telecap")) struct EarlyEndTests {
  private let folder: Folder
  private let capture: String
  private let on: [UInt8]
  private let half: [UInt8]
  private let off: [UInt8]

  init() throws {
    (on, half, off) = try (RecordedSession.haptic(0.37), RecordedSession.haptic(0.5), RecordedSession.haptic(0))
    folder = try Folder()
    capture = folder["session.pcapng"]
  }

  /// A recording in which something happens at once, and something else an hour later.
  private func record(_ body: (RecordedSession) throws -> Void) throws {
    let session = try RecordedSession(capture)
    try body(session)
    try session.finish()
  }

  private static let hour: Int64 = 3_600_000
  private static let other = Endpoint(IPAddress(v4: 0xc000_0207), port: 40_001)
  private static let hello = Result { try Message.hello(sessionID: 7, code: "ABC123").bytes }

  /// The datagrams that came to a sink from a command that a signal ended when the first had come.
  private func received(
    _ options: [String], _ signal: Int32 = SIGINT, status: Int32? = nil,
    when isDone: (Socket) throws -> Void = { try $0.waitForFirst() }
  ) throws -> (datagrams: [[UInt8]], errors: String) {
    let sink = try Socket.udp()
    let running = try Program.start(["replay", capture, "--to", sink.address] + options)
    try isDone(sink)
    running.signal(signal)
    let end = try running.finish()
    #expect(end.status == status ?? 128 + signal, "\(end)")
    return (sink.received(), end.errors)
  }

  @Test("A motor at 0.37 is turned off, whichever signal ends it", arguments: [SIGINT, SIGTERM, SIGHUP])
  func motor(_ signal: Int32) throws {
    try record {
      try $0.datagram(on, from: RecordedSession.host, to: RecordedSession.phone, at: 0)
      try $0.datagram(off, from: RecordedSession.host, to: RecordedSession.phone, at: Self.hour)
    }
    let (datagrams, errors) = try received(["--role", "host"], signal)
    #expect(datagrams == [on, off])
    #expect(errors.contains("sent before the end: 1 HAPTIC"))
  }

  @Test("--no-neutral leaves it running")
  func keeping() throws {
    try record {
      try $0.datagram(on, from: RecordedSession.host, to: RecordedSession.phone, at: 0)
      try $0.datagram(off, from: RecordedSession.host, to: RecordedSession.phone, at: Self.hour)
    }
    #expect(try received(["--role", "host", "--no-neutral"]).datagrams == [on])
  }

  @Test("Each of two phones closes its own session, and the recording of the replay holds it")
  func phones() throws {
    let hellos = try [7, 8].map { try Message.hello(sessionID: $0, code: "ABC123").bytes }
    try record {
      try $0.datagram(hellos[0], at: 0)
      try $0.datagram(hellos[1], from: Self.other, at: 0)
      try $0.datagram(try RecordedSession.pose(1), at: Self.hour)
    }
    let sent = folder["sent.pcapng"]
    let (datagrams, errors) = try received(["--role", "phone", "--record", sent]) { sink in
      try sink.waitForFirst()
    }
    #expect(datagrams == hellos + [Message.bye(sessionID: 7).bytes, Message.bye(sessionID: 8).bytes])
    #expect(errors.contains("sent before the end: 2 BYE"))
    let kept = try [UInt8](file: sent)
    #expect([7, 8].allSatisfy { kept.contains(Message.bye(sessionID: $0).bytes) })
  }

  @Test("Neutral values go unimpaired: a network that loses everything behind the first message does not lose them")
  func impaired() throws {
    try record {
      for step in 0..<20 {
        try $0.datagram(
          half, from: RecordedSession.host, to: RecordedSession.phone, at: Int64(step))
      }
      try $0.datagram(off, from: RecordedSession.host, to: RecordedSession.phone, at: Self.hour)
    }
    let (datagrams, _) = try received(["--role", "host", "--loss", "50%", "--seed", "1"])
    #expect(datagrams.last == off && datagrams.dropLast().allSatisfy { $0[9] == 0x3f })
  }

  @Test("A damaged recording ends early too")
  func damaged() throws {
    try record {
      for step in 0..<5 {
        try $0.datagram(
          half, from: RecordedSession.host, to: RecordedSession.phone, at: Int64(step))
      }
    }
    try Data(contentsOf: URL(filePath: capture)).dropLast(30).write(to: URL(filePath: capture))
    let sink = try Socket.udp()
    #expect(try Program.run(["replay", capture, "--role", "host", "--to", sink.address]).status == 65)
    #expect(sink.received().last == off)
  }

  @Test("A recording that ends by itself is sent as it is, also where its last value is not neutral")
  func whole() throws {
    try record {
      try $0.datagram(half, from: RecordedSession.host, to: RecordedSession.phone, at: 0)
    }
    let sink = try Socket.udp()
    #expect(try Program.run(["replay", capture, "--role", "host", "--to", sink.address]).status == 0)
    #expect(sink.received() == [half])
  }

  @Test("A button that is down is let go over UDP and over TCP")
  func buttons() throws {
    try record {
      try $0.open(RecordedSession.mouse, RecordedSession.clicks, at: 0)
      try $0.stream([0xbb, 1, 0, 0, 0], RecordedSession.mouse, RecordedSession.clicks, at: 1)
      try $0.datagram([0xaa, 1, 3, 4, 0], from: RecordedSession.mouse, to: RecordedSession.pointer, at: 2)
      try $0.datagram([0xaa, 0, 0, 0, 0], from: RecordedSession.mouse, to: RecordedSession.pointer, at: Self.hour)
    }
    let listener = try Socket.listener()
    let (datagrams, _) = try received(["--role", "mouse", "--tcp-port", "\(listener.port)"])
    #expect(datagrams == [[0xaa, 1, 3, 4, 0], [0xaa, 0, 0, 0, 0]])
    let stream = try listener.accepted()
    #expect(try stream.receive(10) == [0xbb, 1, 0, 0, 0, 0xbb, 0, 0, 0, 0] && stream.receiveEnd() == nil)
  }

  @Test("A protocol that declares nothing neutral is told, and nothing is sent")
  func unknown() throws {
    let lamp = """
      protocol: lamp
      carriers: [{name: udp, over: udp, port: 7000}]
      header: [{name: magic, type: text 2, equals: LP, is: identity}]
      messages: [{name: DIM, from: client, fields: [{name: level, type: u8}]}]
      """
    let file = try folder.write(Array(lamp.utf8), to: "lamp.yaml")
    let to = Endpoint(RecordedSession.host.address, port: 7_000)
    try record {
      try $0.datagram([0x4c, 0x50, 9], to: to, at: 0)
      try $0.datagram([0x4c, 0x50, 0], to: to, at: Self.hour)
    }
    let (datagrams, errors) = try received(["--protocol", file])
    #expect(datagrams == [[0x4c, 0x50, 9]])
    #expect(errors.contains("lamp declares neither neutral values"), "\(errors)")
  }

  @Test("A pattern that Ctrl-C ends turns the motor off")
  func pattern() throws {
    let ahap = """
      {"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 30,
      "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.37}]}}]}
      """
    let file = try folder.write(Array(ahap.utf8), to: "long.ahap")
    let sink = try Socket.udp()
    let running = try Program.start(["ahap", "play", file, "--to", sink.address, "--loop", "0"])
    var last: [UInt8] = []
    while last.count != 12 || last[9] == 0 { last = try sink.receive().bytes }
    running.signal(SIGINT)
    #expect(try running.finish().status == 0)
    #expect(sink.received().last == off)
  }

  @Test("A simulated host that a signal ends turns the motor off, unless --no-neutral", arguments: [true, false])
  func host(_ isNeutral: Bool) throws {
    let port = try freePort()
    let forces = try folder.write(Array("0.37\n".utf8), to: "forces.csv")
    let options = ["--forces", forces, "--tele-udp", "\(port)"] + (isNeutral ? [] : ["--no-neutral"])
    let running = try Program.start(["simulate", "host"] + options)
    try running.wait(for: "UDP 127.0.0.1:\(port)")
    let phone = try Socket.udp()
    try phone.send(Self.hello.get(), to: port)
    var last: [UInt8] = []
    while last.count != 12 { last = try phone.receive().bytes }
    running.signal(SIGTERM)
    _ = try running.finish()
    let datagrams = phone.received().filter { $0.count == 12 }
    let end = datagrams.last ?? last
    #expect(isNeutral ? end == off : end != off)
  }
}

import TelecapModels
import TelecapMouse
import TelecapPlatform
import TelecapRecording
import TelecapTele
import TelecapTransport
import TelecapWire
import TelecapTestSupport
import Testing

/// The events of a peer, gathered on its thread and looked at on the test's.
final class EventLog: Sendable {
  private let entries = Locked<[(Timestamp, PeerEvent)]>([])

  func note(_ time: Timestamp, _ event: PeerEvent) { entries.with { $0.append((time, event)) } }
  var all: [(time: Timestamp, event: PeerEvent)] { entries.with { $0.map { ($0.0, $0.1) } } }
  func count(_ name: String) -> Int { all.filter { $0.event.name == name }.count }

  /// Returns when `condition` holds; says whether it did within 10 s.
  func wait(_ condition: (EventLog) -> Bool) async throws -> Bool {
    for _ in 0..<1_000 {
      if condition(self) { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return condition(self)
  }
}

@Suite(.serialized, .real("sockets")) struct RunningPeerTests {
  let free = Endpoint(.loopback, port: 0)

  @Test("A phone and a host talk over UDP")
  func aPhoneAndAHostTalkOverUDP() async throws {
    let hostLog = EventLog()
    let phoneLog = EventLog()
    let model = HostModel(.init(code: "ABC123", waveform: .constant(0.5)))
    let host = try await RunningPeer.start(model, PeerSockets(udp: free), tell: hostLog.note)
    let end = try #require(host.udp)
    let phoneModel = try PhoneModel(.init(host: end, code: "ABC123", sessionID: 7))
    let phone = try await RunningPeer.start(
      phoneModel, PeerSockets(udp: .init(.loopback, port: 0), destinations: [end]), tell: phoneLog.note)
    #expect(
      try await hostLog.wait { $0.count("pose-applied") >= 30 && phoneLog.count("haptic-applied") >= 10 })
    try await phone.stop()
    #expect(try await hostLog.wait { $0.count("session-closed") == 1 })
    try await host.stop()
    let client = try #require(phone.udp)
    #expect(hostLog.all.contains { $0.event == .sessionOpened(client, sessionID: 7) })
    #expect(hostLog.all.last?.event == .sessionClosed(client, sessionID: 7, .teardown))
    #expect(phoneLog.all.contains { $0.event == .ack(.ok) })
    #expect(phoneLog.all.contains { $0.event == .hapticApplied(0.5) })
    #expect(phoneLog.all.last?.event == .hapticApplied(0))
    #expect(hostLog.count("pose-dropped") == 0)
  }

  @Test("A phone and a host talk over TCP")
  func aPhoneAndAHostTalkOverTCP() async throws {
    let hostLog = EventLog()
    let phoneLog = EventLog()
    let model = try HostStreamModel(.init(code: "ABC123", waveform: .constant(1)))
    let host = try await RunningPeer.start(model, PeerSockets(listen: free), tell: hostLog.note)
    let end = try #require(host.listening)
    let phoneModel = try PhoneModel(.init(host: end, code: "ABC123", sessionID: 9, dialect: .teleTCP))
    let phone = try await RunningPeer.start(phoneModel, PeerSockets(connect: end), tell: phoneLog.note)
    #expect(
      try await hostLog.wait { $0.count("pose-applied") >= 10 && phoneLog.count("haptic-applied") >= 3 })
    #expect(phoneLog.count("config") == 1)
    try await phone.stop()
    #expect(try await hostLog.wait { $0.count("session-closed") == 1 })
    try await host.stop()
    guard case .sessionClosed(_, 9, .teardown) = hostLog.all.last?.event else {
      Issue.record("the session did not end with BYE: \(hostLog.all.last as Any)")
      return
    }
  }

  @Test("A mouse and its host agree on the pointer")
  func aMouseAndItsHostAgreeOnThePointer() async throws {
    let hostLog = EventLog()
    let mouseLog = EventLog()
    let host = try await RunningPeer.start(MouseHostModel(), PeerSockets(udp: free, listen: free), tell: hostLog.note)
    let movement = try #require(host.udp)
    let control = try #require(host.listening)
    let script = MouseScript([
      MouseInput(time: 0, buttons: 1), MouseInput(time: 5_000_000, deltaX: 300, deltaY: -200, buttons: 1),
      MouseInput(time: 10_000_000, deltaX: -40, deltaY: 7, buttons: 1), MouseInput(time: 200_000_000, buttons: 0),
    ])
    let mouse = try await RunningPeer.start(
      MouseModel(movement: movement, control: control, script: script),
      PeerSockets(udp: free, connect: control, destinations: [movement]), tell: mouseLog.note)
    try await mouse.waitUntilFinished()
    #expect(try await hostLog.wait { $0.count("mouse-received") == mouseLog.count("mouse-sent") })
    try await mouse.stop()
    try await host.stop()
    let pointers = hostLog.all.compactMap(\.event.pointer)
    #expect(pointers.last == PointerPosition(x: 960 + 260, y: 540 - 193))
    let buttons = hostLog.all.compactMap(\.event.buttons)
    #expect(buttons.first == 1 && buttons.last == 0)
    #expect(mouseLog.count("refused") == 0)
  }

  @Test("A peer sends nothing to another machine unless allowed")
  func nothingIsSentToAnotherMachineUnlessAllowed() async throws {
    let far = Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000)
    await #expect(throws: DestinationError.notLoopback(far)) {
      _ = try await RunningPeer.start(
        try PhoneModel(.init(host: far, code: "ABC123", sessionID: 1)), PeerSockets(udp: free, destinations: [far])
      ) { _, _ in }
    }
    let all = Endpoint(IPAddress(v4: 0xffff_ffff), port: 50_000)
    await #expect(throws: DestinationError.broadcast(all)) {
      _ = try await RunningPeer.start(
        try PhoneModel(.init(host: all, code: "ABC123", sessionID: 1)),
        PeerSockets(udp: free, destinations: [all], policy: DestinationPolicy(.anyHost))
      ) { _, _ in }
    }
  }
}

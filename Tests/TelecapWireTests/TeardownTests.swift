import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// The messages that a sender owes when it ends early.
@Suite struct TeardownTests {
  private static func owed(_ dialect: Dialect, _ carrier: Carrier = .udp, _ sent: [UInt8]...) -> [[UInt8]] {
    var teardown = Teardown(dialect, over: carrier)
    for bytes in sent { teardown.sent(bytes.span.bytes) }
    return teardown.owed().map(teardown.framed)
  }

  private static func haptic(_ intensity: Float) throws -> [UInt8] {
    try Message(Message(empty: .haptic), fields: ["intensity": .float(intensity)]).bytes
  }

  @Test("A running motor is turned off, and a stopped one gets no message", arguments: [Float(0.37), 1, 0.001])
  func motor(_ intensity: Float) throws {
    let (on, off) = (try Self.haptic(intensity), try Self.haptic(0))
    #expect(Self.owed(.teleUDP, .udp, on) == [off])
    #expect(Self.owed(.teleUDP, .udp, on, off) == [])
    #expect(Self.owed(.teleUDP, .udp, off, on) == [off])
    #expect(Self.owed(.teleUDP) == [])
  }

  @Test("A message that a receiver drops changes nothing")
  func invalid() throws {
    var broken = try Self.haptic(0.5)
    broken[0] = 0
    #expect(Self.owed(.teleUDP, .udp, broken) == [])
    let (on, off) = (try Self.haptic(0.5), try Self.haptic(0))
    #expect(Self.owed(.teleUDP, .udp, on, broken) == [off])
  }

  @Test("A session that was requested is closed once, by its own id")
  func session() throws {
    let hello = try Message.hello(sessionID: 7, code: "ABC123").bytes
    let (bye, other) = (Message.bye(sessionID: 7).bytes, Message.bye(sessionID: 8).bytes)
    #expect(Self.owed(.teleUDP, .udp, hello) == [bye])
    #expect(Self.owed(.teleUDP, .udp, hello, hello, Bytes.pose(1)) == [bye])
    #expect(Self.owed(.teleUDP, .udp, hello, bye) == [])
    #expect(Self.owed(.teleUDP, .udp, hello, other) == [bye])
    #expect(Self.owed(.teleUDP, .udp, hello, bye, hello) == [bye])
    #expect(Self.owed(.teleUDP, .udp, Bytes.pose(1)) == [])
  }

  @Test("Buttons are released without moving the pointer or the wheel")
  func buttons() {
    #expect(Self.owed(.mouse, .udp, [0xaa, 1, 3, 0xfe, 2]) == [[0xaa, 0, 0, 0, 0]])
    #expect(Self.owed(.mouse, .udp, [0xaa, 0, 3, 0xfe, 2]) == [], "only a movement was left, which is over")
    #expect(Self.owed(.mouse, .tcp, [0xbb, 4, 0, 0, 0, 0xbb], [1, 0, 0, 0]) == [[0xbb, 0, 0, 0, 0]])
  }

  @Test("Within a message of a stream nothing can be sent; after it, a frame can")
  func streams() throws {
    let half = [12, 0] + (try Self.haptic(0.5))
    let off = [12, 0] + (try Self.haptic(0))
    var teardown = Teardown(.teleTCP, over: .tcp)
    teardown.sent((half + [12]).span.bytes)
    #expect(teardown.isWithinMessage)
    teardown.sent(Array(half[1...]).span.bytes)
    #expect(!teardown.isWithinMessage)
    #expect(teardown.owed().map(teardown.framed) == [off])
  }

  @Test("If the last messages may be unsent, neutral values and the teardown are sent in any case")
  func unsure() throws {
    var teardown = Teardown(.teleUDP, over: .udp)
    for bytes in [try Self.haptic(0.5), try Self.haptic(0)] { teardown.sent(bytes.span.bytes) }
    let off = try Self.haptic(0)
    #expect(teardown.owed().isEmpty && teardown.owed(isUnsure: true).map(\.bytes) == [off])
  }

  @Test("A host, a phone and a mouse have a teardown, and a mouse host has none")
  func declared() {
    #expect([Role.host, .phone, .mouse].allSatisfy(Teardown.isDeclared) && !Teardown.isDeclared(for: .mouseHost))
  }
}

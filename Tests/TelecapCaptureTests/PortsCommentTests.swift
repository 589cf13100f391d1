import Testing

@testable import TelecapCapture

/// The comment of a section that says ports.
@Suite struct PortsCommentTests {
  @Test("Port numbers written into a comment are read back")
  func roundTrip() {
    let numbers: [String: UInt16] = ["tele-udp": 45_000, "mouse-udp": 1, "gatt:1c8fd138": 65_535]
    #expect(PortsComment.text(numbers) == "telecap ports: gatt:1c8fd138=65535 mouse-udp=1 tele-udp=45000")
    #expect(PortsComment.numbers(in: ["a comment", PortsComment.text(numbers)]) == numbers)
    #expect(PortsComment.text([:]).isEmpty)
  }

  @Test(
    "A word that is no setting is ignored, and the later of two settings for a port counts",
    arguments: [
      ("telecap ports: a=1 b a= =2 c=70000 d=-1 a=3", ["a": 3]), ("telecap ports: ", [:]), ("telecap ports:a=1", [:]),
      ("ports: a=1", [:]), ("telecap ports: a=1=2 b=5", ["b": 5]),
    ] as [(String, [String: UInt16])])
  func odd(_ comment: String, _ numbers: [String: UInt16]) {
    #expect(PortsComment.numbers(in: [comment]) == numbers)
  }
}

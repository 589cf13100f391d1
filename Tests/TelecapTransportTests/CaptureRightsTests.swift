import TelecapTransport
import Testing

@Suite("The right to capture") struct CaptureRightsTests {
  @Test("Only a command that captures from an interface keeps the right to capture")
  func areNeeded() {
    for words in [
      ["doctor"], ["record", "-o", "a"], ["record", "--output", "--relays"],
      ["record", "-i", "eth0", "-o", "a", "--view"],
    ] {
      #expect(CaptureRights.areNeeded(by: words))
    }
    for words in [
      [], ["--help"], ["dissect", "record"], ["info", "doctor"], ["relay", "udp:1=h:2", "--record", "a"],
      ["record", "-o", "a", "--relay", "udp:1=h:2"],
      ["record", "--relay=udp:1=h:2", "-o", "a"], ["view", "a"], ["simulate", "host"], ["Record", "-o", "a"],
    ] {
      #expect(!CaptureRights.areNeeded(by: words))
    }
  }
}

import TelecapRecording
import TelecapTele
@testable import TelecapWire
import Testing

/// HELLOs that cross their ACKs on the way.
@Suite("HELLOs whose ACKs are on their way") struct OpenRequestsTests {
  private func unanswered(_ packet: Int) -> Finding { Finding(.helloWithoutAck, 0..<18, .packet(packet)) }

  @Test("HELLO, HELLO, ACK, ACK: both are answered, and nothing is found")
  func bothAreAnswered() {
    var story = Conversation()
    #expect(story.phone(.hello(7), at: 0).findings == [])
    #expect(story.phone(.hello(7), at: 0.005).findings == [])
    #expect(story.host(.ack(.ok), at: 0.01).findings == [])
    #expect(story.host(.ack(.ok), at: 0.015).findings == [])
    #expect(story.phone(.hello(7), at: 2).findings == [])
    story.host(.ack(.ok), at: 2.01)
    #expect(story.finish(at: 99).isEmpty)
  }

  @Test("HELLO, HELLO, ACK: one had none, and is found with the first HELLO that comes a second later")
  func oneHadNone() {
    var story = Conversation()
    story.phone(.hello(7), at: 0)
    story.phone(.hello(7), at: 0.5)
    story.host(.ack(.ok), at: 0.51)
    #expect(story.phone(.hello(7), at: 0.99).findings == [])
    story.host(.ack(.ok), at: 1)
    #expect(story.phone(.hello(7), at: 1.49).findings == [unanswered(1)])
    story.host(.ack(.ok), at: 1.5)
    #expect(story.finish(at: 99).isEmpty)
  }

  @Test("Each HELLO that nobody answers is found once, however close they come")
  func eachIsFoundOnce() {
    var story = Conversation()
    var found = (0..<40).flatMap { story.phone(.hello(7), at: Double($0) * 0.3).findings }
    found += story.finish(at: 99).map(\.finding)
    #expect(found == (1...40).map(unanswered))
  }

  @Test("Of a flood of HELLOs the oldest are given up early: memory does not grow with them")
  func flood() {
    var story = Conversation()
    var found = (0..<100).flatMap { story.phone(.hello(7), at: Double($0) * 0.001).findings }
    #expect(found.count == 84)
    found += story.finish(at: 99).map(\.finding)
    #expect(found == (1...100).map(unanswered))
  }
}

import TelecapRecording
import TelecapTele
@testable import TelecapWire
import Testing

/// HELLOs that cross their ACKs on the way.
@Suite("HELLOs whose ACKs are in flight") struct OpenRequestsTests {
  private func unanswered(_ packet: Int) -> Finding { Finding(.helloWithoutAck, 0..<18, .packet(packet)) }

  @Test("Two HELLOs with two ACKs give no finding")
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

  @Test("Two HELLOs with one ACK give one finding, at the first HELLO a second later")
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

  @Test("Each unanswered HELLO is found once, at any rate")
  func eachIsFoundOnce() {
    var story = Conversation()
    var found = (0..<40).flatMap { story.phone(.hello(7), at: Double($0) * 0.3).findings }
    found += story.finish(at: 99).map(\.finding)
    #expect(found == (1...40).map(unanswered))
  }

  @Test("In a flood of HELLOs the oldest expire early: memory does not grow")
  func flood() {
    var story = Conversation()
    var found = (0..<100).flatMap { story.phone(.hello(7), at: Double($0) * 0.001).findings }
    #expect(found.count == 84)
    found += story.finish(at: 99).map(\.finding)
    #expect(found == (1...100).map(unanswered))
  }
}

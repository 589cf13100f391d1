import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapReport

@Suite struct PlottedStreamTests {
  /// The stream that holds the requirement, or has its name in it, or comes first.
  @Test(
    "A scenario is plotted by the stream that it is about",
    arguments: [
      ("tele.pose.duplicate", PartModel.host, "seq", false), ("tele.hello.busy", .host, "seq", false),
      ("tele.haptic.sender-range", .host, "strength", true), ("tele.session.safe-on-loss", .phone, "strength", false),
      ("mouse.pointer.screen", .mouseHost, "counts to the right", false),
      ("mouse.buttons.reserved", .mouseHost, "buttons", false), ("mouse.split.buttons", .mouse, "buttons", true),
      ("mouse.clamp.int8", .mouse, "counts to the right", true), ("ahap.parse.clamp", .ahap, "", false),
    ])
  func aScenarioIsPlottedByTheStreamThatItIsAbout(
    _ id: String, _ model: PartModel, _ axis: String, _ isSent: Bool
  ) throws {
    let requirement = try #require([Suite.tele, .mouse, .haptics].flatMap(\.requirements).first { $0.id == id })
    let plotted = PlottedStream(requirement, model.judging, of: RunLog(shows: []))
    #expect(plotted.axis == axis && plotted.isSent == isSent)
  }

  /// The first message of a piece of a stream counts; what is no message of the stream holds no value.
  @Test("A piece of a stream is plotted by its first message")
  func aPieceOfAStreamIsPlottedByItsFirstMessage() throws {
    let requirement = Requirement("tele.haptic.latest-value-wins", .must, "", "")
    let plotted = PlottedStream(requirement, PartModel.phone.judging, of: RunLog(shows: []))
    let frames = try [0.25, 0.5].map { try Message.haptic(intensity: $0).framed(as: .teleTCP) }
    #expect(plotted.value(of: frames[0] + frames[1], over: .tcp) == 0.25)
    #expect(plotted.value(of: Array(frames[0].dropLast()), over: .tcp) == nil)
    #expect(plotted.value(of: Array(frames[0].dropFirst(2)), over: .udp) == 0.25)
    #expect(plotted.value(of: Message.ack(.ok).bytes, over: .udp) == nil)
    #expect(plotted.value(of: .hapticApplied(0.75)) == 0.75 && plotted.value(of: .told("0.75")) == nil)
  }
}

import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

/// Events that are no values of streams: they are generic, and their lines have the names of their protocol.
@Suite("Notes and answers of peers") struct PeerNoteTests {
  private static let sample = MouseSample(buttons: 5, deltaX: -127, deltaY: 32_767, scroll: -128)

  @Test(
    "A line has the names of the protocol",
    arguments: [
      (.hapticImpact(.heavy), #""haptic-impact","style":"heavy""#), (.config(bytes: 0), #""config","bytes":0"#),
      (.refused(.invalidData), #""refused","error":"invalid-data""#),
      (.clamped(deltaX: 1, deltaY: nil, scroll: -3), #""clamped","delta_x":1,"scroll":-3"#),
      (.clamped(deltaX: nil, deltaY: nil, scroll: nil), #""clamped""#),
      (
        .mouseSent(.tcp, PeerNoteTests.sample),
        #""mouse-sent","carrier":"tcp","buttons":5,"delta_x":-127,"delta_y":32767,"scroll":-128"#
      ),
      (
        .mouseReceived(.ble, PeerNoteTests.sample),
        #""mouse-received","carrier":"ble","buttons":5,"delta_x":-127,"delta_y":32767,"scroll":-128"#
      ),
      (.ack(.versionUnsupported), #""ack","status":"VERSION_UNSUPPORTED""#),
      (.ack(AckStatus(rawValue: 9)), #""ack","status":"9""#),
      (
        .hello(Endpoint(.loopback, port: 9), sessionID: .max, answer: .busy),
        #""hello","peer":"127.0.0.1:9","session_id":4294967295,"answer":"BUSY""#
      ),
      (
        .sessionClosed(Endpoint(.loopback, port: 9), sessionID: 1, .teardown),
        #""session-closed","peer":"127.0.0.1:9","session_id":1,"reason":"bye""#
      ),
    ] as [(PeerEvent, String)])
  func line(_ event: PeerEvent, _ words: String) {
    #expect(event.jsonLine(at: .zero) == #"{"time_ns":0,"event":\#(words)}"#)
  }

  @Test("A note returns the values that were written into it, and other notes return none")
  func values() {
    for carrier in Carrier.allCases {
      let received = PeerEvent.mouseReceived(carrier, Self.sample)
      #expect(received.receivedPacket?.carrier == carrier && received.receivedPacket?.sample == Self.sample)
      #expect(PeerEvent.mouseSent(carrier, Self.sample).receivedPacket == nil)
    }
    for impact in HapticImpact.allCases { #expect(PeerEvent.hapticImpact(impact).impact == impact) }
    for error in MouseError.allCases { #expect(PeerEvent.refused(error).refusal == error) }
    #expect(PeerEvent.config(bytes: 3).impact == nil && PeerEvent.hapticImpact(.light).refusal == nil)
    let clamping = PeerEvent.clamped(deltaX: .max, deltaY: nil, scroll: 0).clamping
    #expect(clamping?.deltaX == .max && clamping?.deltaY == nil && clamping?.scroll == 0)
    #expect(PeerEvent.refused(.invalidData).clamping == nil)
  }

  @Test("Only OK accepts a client")
  func accepted() {
    for code in UInt8.min ... .max {
      #expect(SessionAnswer(AckStatus(rawValue: code)).isAccepted == (code == 0))
    }
  }

  @Test("An intensity leads to its impact")
  func request() throws {
    let cases: [(Float, HapticImpact?)] = [
      (0.1, nil), (Float(0.1).nextUp, .light), (0.4, .light), (Float(0.4).nextUp, .medium), (0.7, .medium),
      (Float(0.7).nextUp, .heavy), (.infinity, .heavy), (.nan, nil), (-1, nil),
    ]
    for (intensity, impact) in cases {
      var bytes = try Message.haptic(intensity: 0).bytes
      Haptic.fields.intensity.write(intensity, into: &bytes)
      let index = NoteKind.impact.request?(.haptic, bytes.span.bytes)
      let ofOther = NoteKind.impact.request?(.pose, bytes.span.bytes)
      bytes.removeLast()
      let ofShorter = NoteKind.impact.request?(.haptic, bytes.span.bytes)
      #expect(index.map { HapticImpact.allCases[$0] } == impact, "\(intensity)")
      #expect(ofOther == nil && ofShorter == nil)
    }
    #expect(NoteKind.refused.request == nil)
  }
}

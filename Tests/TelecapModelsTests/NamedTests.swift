import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import Testing

@Suite struct NamedTests {
  struct Gone: Error {}

  @Test("Events are written as one line each, and none after a write error")
  func events() {
    var written: [String] = []
    let lines = EventLines { line in
      if written.count == 2 { throw Gone() }
      written.append(line)
    }
    let event = PeerEvent.sessionOpened(Endpoint(.loopback, port: 1), sessionID: 7)
    #expect(lines.write(event, at: Timestamp(nanoseconds: 1)) && lines.write(event, at: Timestamp(nanoseconds: 2)))
    #expect(lines.failure == nil)
    #expect(!lines.write(event, at: .zero) && lines.failure is Gone)
    written = []
    #expect(!lines.write(event, at: .zero) && written.isEmpty)
  }

  @Test("A shape is made from its name, size and period, and off is none")
  func shapes() {
    #expect(Waveform.Name.off.shape(period: 1) == nil)
    #expect(
      Waveform.Name.ramp.shape(period: 8) == .ramp(period: 8) && Waveform.Name.step.shape(period: 8) == .step(period: 8)
    )
    #expect(PosePath.Name.line.shape(size: 2, period: 8) == .line(length: 2, period: 8))
    #expect(PosePath.Name.rest.shape(size: 2, period: 8) == .rest)
    #expect(MouseScript.Figure.drag.script(size: 10) == .drag(deltaX: 10, deltaY: 5))
    #expect(MouseScript.Figure.allCases.map(\.rawValue) == ["square", "circle", "drag"])
  }
}

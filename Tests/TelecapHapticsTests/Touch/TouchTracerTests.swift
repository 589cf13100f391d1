import TelecapHaptics
import TelecapRecording
import TelecapTestSupport
import Testing

/// A light touch feels, a hard one activates (touch.md).
@Suite struct TouchTracerTests {
  static let screen = TouchView(
    "screen", x: 0, y: 0, width: 400, height: 800,
    [
      TouchView("ok", .button, x: 100, y: 100, width: 200, height: 50),
      TouchView(
        "list", .scroll, x: 0, y: 300, width: 400, height: 300,
        [TouchView("row", .button, x: 0, y: 400, width: 400, height: 50, texture: .highEdges)]),
      TouchView("sand", x: 0, y: 650, width: 400, height: 100, texture: .grainy),
      TouchView("over", x: 150, y: 100, width: 20, height: 50, texture: TouchView.Texture.none),
    ])

  /// The events of samples, as text.
  private func trace(_ samples: [TouchSample], hasPressure: Bool = true) -> [String] {
    var tracer = TouchTracer(ViewTree(TouchTracerTests.screen), hasPressure: hasPressure)
    var told: [String] = []
    for sample in samples { tracer.receive(sample) { told.append($0.description) } }
    return told
  }

  private func sample(_ phase: TouchSample.Phase, _ x: Double, _ y: Double, _ force: Double = 0) -> TouchSample {
    TouchSample(phase, x: x, y: y, force: force)
  }

  @Test(
    "The view in front is hit",
    arguments: [
      (0.0, 0.0, "screen"), (100, 100, "ok"), (299.9, 149.9, "ok"), (300, 120, "screen"), (155, 120, "over"),
      (50, 350, "list"), (10, 790, "screen"),
    ])
  func theViewInFrontIsHit(_ x: Double, _ y: Double, _ name: String) throws {
    let tree = ViewTree(TouchTracerTests.screen)
    let place = try #require(tree.hit(x: x, y: y))
    #expect(tree[place]?.name == name)
  }

  @Test("A point outside its view does not hit it")
  func whatLiesOutsideOfItsViewIsNotHit() {
    let tree = ViewTree(TouchTracerTests.screen)
    // The row lies 400 pt down in a list of 300 pt.
    #expect(tree.hit(x: 10, y: 710).flatMap { tree[$0]?.name } == "sand")
    #expect(tree.hit(x: -1, y: 0) == nil && tree.hit(x: .nan, y: 0) == nil && tree.hit(x: 0, y: .infinity) == nil)
  }

  @Test("A plain view leaves tracing to the view that contains it")
  func aPlainViewLeavesTracingToWhatItLiesIn() {
    let told = trace([sample(.began, 50, 350), sample(.moved, 50, 356), sample(.ended, 50, 356)])
    #expect(told == ["light impact on list, scroll"])
  }

  @Test("A row that scrolled into view is felt")
  func whatScrolledIntoViewIsFelt() {
    var samples = [sample(.began, 50, 590)]
    // Slightly harder: the content follows the finger up by 250 pt, and the row comes into view.
    samples += stride(from: 580.0, through: 340, by: -10).map { sample(.moved, 50, $0, 1.5) }
    samples += [sample(.moved, 50, 500), sample(.moved, 50, 460)]
    let told = trace(samples)
    #expect(told.count { $0.hasPrefix("list scrolls by 0.0, -10.0") } == 25)
    #expect(told.contains("medium impact on row, edge-in"))
  }

  @Test("Scrolling a list sideways moves its content by as much as the finger")
  func aListThatIsScrolledSidewaysHasMovedWhatLiesInIt() {
    let row = TouchView("row", .button, x: 500, y: 0, width: 100, height: 100)
    var tracer = TouchTracer(
      ViewTree(TouchView("list", .scroll, x: 0, y: 0, width: 400, height: 100, [row])), hasPressure: true)
    var told: [String] = []
    var samples = [sample(.began, 390, 50)]
    samples += stride(from: 380.0, through: 140, by: -10).map { sample(.moved, $0, 50, 1.5) }
    // 250 pt to the left: the row begins at 250.
    for sample in samples + [sample(.moved, 240, 50), sample(.moved, 249, 50)] {
      tracer.receive(sample) { told.append($0.description) }
    }
    #expect(told.count { $0.hasPrefix("list scrolls by -10.0, 0.0") } == 25 && !told.contains { $0.contains("row") })
    tracer.receive(sample(.moved, 251, 50)) { told.append($0.description) }
    #expect(told.last == "light impact on row, edge-in", "\(told)")
  }

  @Test("A button sinks in tenths and comes up")
  func aButtonSinksByTenthsAndComesUp() {
    let told = trace([
      sample(.began, 110, 120, 0.2), sample(.stationary, 110, 120, 0.21), sample(.stationary, 110, 120, 1),
      sample(.stationary, 110, 120, 0), sample(.ended, 110, 120),
    ])
    #expect(told == ["ok sinks to 0.1", "ok sinks to 0.5", "ok sinks to 0.0"])
  }

  @Test("A button comes up when the finger leaves it or is lifted")
  func aButtonComesUpWhenTheFingerLeavesItOrIsLifted() {
    let down = [sample(.began, 110, 120, 1)]
    #expect(trace(down + [sample(.ended, 110, 120)]) == ["ok sinks to 0.5", "ok sinks to 0.0"])
    #expect(
      trace(down + [sample(.moved, 10, 120)]) == [
        "ok sinks to 0.5", "light impact on ok, edge-out", "ok sinks to 0.0",
      ])
  }

  @Test(
    "The threshold is strict",
    arguments: [(2.0, false), (2.0.nextUp, true), (6, true), (.infinity, true), (.nan, false), (-5, false)])
  func theThresholdIsStrict(_ force: Double, _ isHandedOn: Bool) {
    let told = trace([sample(.began, 10, 10, force)])
    #expect(told == (isHandedOn ? ["began to screen"] : []))
  }

  @Test("An edge is crossed where a view in front hides the control")
  func anEdgeIsCrossedWhereAViewInFrontHidesTheControl() {
    let told = trace([sample(.began, 110, 120), sample(.moved, 160, 120), sample(.moved, 180, 120)])
    #expect(told == ["light impact on ok, edge-out", "light impact on ok, edge-in"])
  }

  @Test("A sample without its began is no touch")
  func whatComesWithoutItsBeganIsNoTouch() {
    #expect(trace([sample(.moved, 110, 120, 5), sample(.ended, 110, 120)]).isEmpty)
  }

  @Test("Without pressure all samples are forwarded to the first view")
  func withoutPressureAllIsHandedOnToTheFirstView() {
    let samples = [sample(.began, 110, 120), sample(.moved, 0, 0), sample(.ended, 0, 0), sample(.began, 0, 0)]
    let expected = ["began to ok", "moved to ok", "ended to ok", "began to screen"]
    #expect(trace(samples, hasPressure: false) == expected)
    // A device that measures at most 0 measures nothing.
    let unmeasured = samples.map { TouchSample($0.phase, x: $0.x, y: $0.y, force: 0, maximumForce: 0) }
    #expect(trace(unmeasured) == expected)
  }

  /// Any trace at all: what is handed on is whole touches, each from began to its end, to one view.
  @Test("Forwarded samples form whole touches", arguments: 1...40 as ClosedRange<UInt64>)
  func whatIsHandedOnIsWholeTouches(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func next(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    var tracer = TouchTracer(ViewTree(TouchTracerTests.screen))
    var open: [Int: String?] = [:]
    for _ in 0..<2_000 {
      let finger = next(3)
      let phase = TouchSample.Phase.allCases[next(5)]
      let odd: [Double] = [.nan, .infinity, -1e300, 0]
      let force = next(50) == 0 ? odd[next(4)] : Double(next(60)) / 10
      let x = next(100) == 0 ? odd[next(4)] : Double(next(450)) - 20
      let sample = TouchSample(finger: finger, phase, x: x, y: Double(next(850)) - 20, force: force)
      if phase == .began { open[finger] = nil }
      tracer.receive(sample) { event in
        guard case .handedOn(let phase, let view) = event else { return }
        if phase == .began {
          open[finger] = view
        } else {
          #expect(open[finger] == view, "a touch that did not begin there")
          if phase.isLast { open[finger] = nil }
        }
      }
    }
  }

  /// After any loss in between, a light tap is not forwarded, and a press is forwarded to its end.
  @Test("Lost samples between began and ended do not change what is activated", arguments: 0..<64)
  func noLossBetweenBeganAndEndedChangesWhatIsActivated(_ kept: Int) {
    let light = (0..<6).map { sample(.moved, 110 + Double($0), 120, 0.5) }
    let chosen = light.enumerated().filter { kept >> $0.offset & 1 == 1 }.map(\.element)
    let tap = trace([sample(.began, 110, 120)] + chosen + [sample(.ended, 115, 120)])
    #expect(!tap.contains { $0.contains(" to ok") && !$0.contains("sinks") })
    let press = trace([sample(.began, 110, 120, 3)] + chosen + [sample(.ended, 115, 120)])
    #expect(press == ["began to ok"] + chosen.map { _ in "moved to ok" } + ["ended to ok"])
  }
}

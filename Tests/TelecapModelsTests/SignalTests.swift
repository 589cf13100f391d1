import TelecapModels
import TelecapRecording
import TelecapTele
import Testing

@Suite struct SignalTests {
  @Test("A force of 25 between 0 and 50 is half")
  func aForceOfTwentyFiveBetweenNoughtAndFiftyIsHalf() throws {
    let range = try ForceRange(minimum: 0, maximum: 50)
    #expect(range.intensity(of: 25) == 0.5)
    #expect(range.intensity(of: -3) == 0 && range.intensity(of: 51) == 1)
    #expect(range.intensity(of: .nan) == 0 && range.intensity(of: .infinity) == 1)
    #expect(try ForceRange(minimum: -1e308, maximum: 1e308).intensity(of: 0) == 0.5)
    #expect(throws: InputError.self) { try ForceRange(minimum: 1, maximum: 1) }
    #expect(throws: InputError.self) { try ForceRange(minimum: .nan, maximum: 1) }
  }

  @Test("Forces are read from one column or two")
  func forcesAreReadFromOneColumnOrTwo() throws {
    let range = try ForceRange(minimum: 0, maximum: 10)
    let one = Waveform.forces(try ForceSeries(csv: "force\n0\n5\r\n\n10\n", range: range))
    #expect([0, 49_999_999, 50_000_000, 100_000_000, .max].map { one.value(at: $0) } == [0, 0, 0.5, 1, 1])
    let two = Waveform.forces(try ForceSeries(csv: "seconds, force\n0.5, 2.5\n1, 20", range: range))
    #expect([0, 500_000_000, 999_999_999, 1_000_000_000].map { two.value(at: $0) } == [0, 0.25, 0.25, 1])
  }

  @Test("An error in a CSV names its line")
  func whatIsWrongInACSVIsSaidWithItsLine() throws {
    let range = try ForceRange(minimum: 0, maximum: 10)
    func error(_ text: String) -> InputError? {
      do throws(InputError) {
        _ = try ForceSeries(csv: text, range: range)
        return nil
      } catch { return error }
    }
    #expect(error("1\nx\n") == .notANumber(line: 2, text: "x"))
    #expect(error("1\nnan\n") == .notANumber(line: 2, text: "nan"))
    #expect(error("1,2,3") == .columns(line: 1, count: 3))
    #expect(error("2,1\n1,1\n") == .timeRunsBack(line: 2))
    #expect(error("force\n") == .empty)
  }

  @Test("Waveforms stay between 0 and 1")
  func waveformsStayBetweenNoughtAndOne() {
    let waveforms: [Waveform] = [.ramp(period: 7), .sine(period: 1_000), .step(period: 10), .ramp(period: 0)]
    for waveform in waveforms {
      for time in -2_000...2_000 { #expect((0...1).contains(waveform.value(at: Int64(time)))) }
    }
    #expect(Waveform.step(period: 10).value(at: 4) == 0 && Waveform.step(period: 10).value(at: 5) == 1)
    #expect(Waveform.sine(period: 4).value(at: 1) == 1 && Waveform.sine(period: 4).value(at: 3) < 1e-7)
  }

  @Test("The circle is round and its quaternions have norm 1")
  func theCircleIsRoundAndItsQuaternionsAreUnits() {
    let path = PosePath.circle(radius: 0.5, period: 1_000)
    for time in 0..<1_000 {
      let (p, q) = path.pose(at: Int64(time))
      let radius = (p * p).sum().squareRoot()
      #expect(abs(radius - 0.5) < 1e-6)
      #expect(abs((q * q).sum() - 1) < 1e-6)
    }
    // A quarter turn: (0, 0, r), turned by 90° about y.
    let (p, q) = path.pose(at: 250)
    #expect(abs(p.x) < 1e-7 && abs(p.z - 0.5) < 1e-7)
    #expect(abs(q.y * q.y - 0.5) < 1e-6 && abs(q.w - q.y) < 1e-6)
  }

  @Test("Events have a stable form")
  func eventsHaveAStableForm() {
    let time = Timestamp(nanoseconds: 12)
    #expect(
      PeerEvent.hapticReceived(.nan).jsonLine(at: time)
        == #"{"time_ns":12,"event":"haptic-received","intensity":"NaN"}"#)
    #expect(
      PeerEvent.sessionClosed(phoneEnd, sessionID: 7, .timeout).jsonLine(at: time)
        == #"{"time_ns":12,"event":"session-closed","peer":"127.0.0.1:40000","session_id":7,"reason":"timeout"}"#)
    #expect(
      PeerEvent.poseDropped(PoseSample(seq: 3, position: [0.5, 0, -.infinity]), .notFinite).jsonLine(at: time)
        == #"{"time_ns":12,"event":"pose-dropped","seq":3,"timestamp_us":0,"movement_start":false,"x":0.5,"y":0.0,"#
        + #""z":"-Infinity","qx":0.0,"qy":0.0,"qz":0.0,"qw":1.0,"reason":"not-finite"}"#)
    #expect(EventValue.text("a\"\n").json == #""a\"\n""#)
  }
}

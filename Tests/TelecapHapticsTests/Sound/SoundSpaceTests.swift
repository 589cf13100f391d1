import TelecapHaptics
import TelecapRecording
import Testing

@Suite struct SoundSpaceTests {
  /// The placement of a source with one channel, in metres, for a listener that faces −z.
  private func placed(_ x: Double, _ y: Double, _ z: Double, _ space: SoundSpace = SoundSpace()) -> SoundPlacement {
    space.placement(of: SoundSource(at: Vector3(x, y, z)), for: Listener())
  }

  private func isNear(_ left: Double, _ right: Double) -> Bool { abs(left - right) < 1e-12 }

  private static let laws: [(DistanceGain, Double, Double)] = [
    (DistanceGain(), 0.2, 1), (DistanceGain(), 1, 1), (DistanceGain(), 4, 0.25), (DistanceGain(), 1e6, 1e-5),
    (DistanceGain(reference: 2, maximum: 10, rolloff: 3), 4, 0.25),
    (DistanceGain(.linear, reference: 1, maximum: 11), 6, 0.5), (DistanceGain(.linear, maximum: 11), 40, 0),
    (DistanceGain(.linear, maximum: 11, rolloff: 3), 10, 0),
    (DistanceGain(.exponential, reference: 2, rolloff: 2), 8, 0.0625),
    (DistanceGain(.exponential, maximum: 4, rolloff: 0.5), 9, 0.5), (DistanceGain(.linear, maximum: 0), 3, 1),
  ]

  @Test("A sound is attenuated by its law", arguments: laws)
  func aSoundFadesByItsLaw(_ law: DistanceGain, _ metres: Double, _ gain: Double) {
    #expect(isNear(law.gain(at: metres), gain), "\(law.gain(at: metres))")
  }

  @Test("A scale of centimetres gives another distance than one of metres")
  func aCentimetreIsNoMetre() {
    let centimetres = SoundSpace(scale: 0.01)
    #expect(isNear(placed(100, 0, 0, centimetres).distance, 1) && isNear(placed(100, 0, 0, centimetres).gain, 1))
    #expect(isNear(placed(100, 0, 0).distance, 100) && isNear(placed(100, 0, 0).gain, 0.01))
  }

  @Test("A source on the left is louder on the left, and the total power stays")
  func whatIsLeftIsHeardLeftAndTheSumStays() {
    let left = placed(-3, 0, -3)
    #expect(left.left > left.right && left.azimuth < 0)
    #expect(isNear(left.azimuth, -.pi / 4) && isNear(left.elevation, 0))
    for place in [(3.0, 1.0, 2.0), (-1, -5, 0), (0, 0, 7), (0, 0, 0)] {
      let heard = placed(place.0, place.1, place.2)
      #expect(isNear(heard.left * heard.left + heard.right * heard.right, heard.gain * heard.gain))
    }
    let hard = placed(2, 0, 0)
    #expect(isNear(hard.left, 0) && isNear(hard.right, 0.5))
  }

  @Test("A source at the back stays on its side")
  func whatIsBehindIsOnItsSide() {
    #expect(isNear(placed(1, 0, 4).right, placed(1, 0, -4).right))
    #expect(isNear(placed(0, 0, 4).left, placed(0, 0, 4).right))
    #expect(isNear(abs(placed(0, 0, 4).azimuth), .pi))
    #expect(isNear(placed(0, 3, 0).elevation, .pi / 2))
  }

  @Test("A headset delays the far ear")
  func aHeadsetDelaysTheFarEar() {
    let headset = SoundSpace(output: .headset)
    let most = 0.0875 / 343 * (.pi / 2 + 1)
    #expect(isNear(placed(5, 0, 0, headset).delay, most) && isNear(placed(-5, 0, 0, headset).delay, -most))
    #expect(placed(0, 0, -5, headset).delay == 0 && placed(5, 0, 0).delay == 0)
  }

  @Test("A turn of the listener turns the world the other way")
  func aTurnOfTheListenerTurnsTheWorldTheOtherWay() {
    func heard(_ listener: Listener, on output: SoundOutput) -> SoundPlacement {
      SoundSpace(output: output).placement(of: SoundSource(at: Vector3(0, 0, -2)), for: listener)
    }
    let right = Rotation(Attitude(yaw: 90))
    #expect(isNear(heard(Listener(camera: right), on: .speakers).azimuth, -.pi / 2))
    #expect(isNear(heard(Listener(head: right), on: .headset).azimuth, -.pi / 2))
    #expect(heard(Listener(head: right), on: .speakers) == heard(Listener(), on: .speakers))
    // Up is where it looks; what was ahead is now below.
    let up = Listener(camera: Rotation(Attitude(pitch: 30)))
    #expect(isNear(heard(up, on: .speakers).elevation, -.pi / 6))
    // The right ear goes down: what was above is now on the left.
    let rolled = SoundSpace().placement(
      of: SoundSource(at: Vector3(0, 2, 0)), for: Listener(camera: Rotation(Attitude(roll: 90))))
    #expect(isNear(rolled.left, 0.5) && isNear(rolled.right, 0))
    // The head turns within the camera: to the right, and then up.
    let both = Listener(camera: right, head: Rotation(Attitude(yaw: 90)))
    #expect(isNear(abs(heard(both, on: .headset).azimuth), .pi))
  }

  @Test("A source with two channels is a bed, and has no position")
  func twoChannelsAreABed() {
    let bed = SoundSpace().placement(of: SoundSource(at: Vector3(50, 0, 0), channels: 2), for: Listener())
    #expect(bed == .bed && !bed.isPlaced && bed.left == 1 && bed.right == 1)
  }

  @Test("A track moves in straight lines and stops at its end")
  func aTrackGoesInStraightLinesAndStays() throws {
    let second = 1_000_000_000
    func at(_ seconds: Double) -> Timestamp { Timestamp(nanoseconds: Int64(seconds * Double(second))) }
    let track = try #require(Track([(at(1), Vector3(0, 0, 0)), (at(3), Vector3(4, 0, 0)), (at(3), Vector3(8, 0, 0))]))
    #expect(track.value(at: at(0)).x == 0 && track.value(at: at(2)).x == 2 && track.value(at: at(9)).x == 8)
    #expect(track.value(at: at(3)).x == 8)
    #expect(Track<Vector3>([]) == nil)
    let turn = try #require(Track([(at(0), Rotation.none), (at(4), Rotation(Attitude(yaw: 120)))]))
    let quarter = turn.value(at: at(1)).turned(Vector3(0, 0, -1))
    #expect(abs(quarter.x - 0.5) < 1e-9, "30° of 120° to the right")
  }

  @Test("The oldest player is interrupted if all are busy")
  func aBusyPoolBreaksOffTheOldest() {
    var pool = PlayerPool(2)
    func trigger(_ ms: Int64) -> [Int] {
      let taken = pool.trigger(at: Timestamp(nanoseconds: ms * 1_000_000), lasting: 100_000_000)
      return [taken.player, taken.interrupts ? 1 : 0]
    }
    #expect(
      [trigger(0), trigger(10), trigger(20), trigger(30), trigger(125)] == [
        [0, 0], [1, 0], [0, 1], [1, 1], [0, 0],
      ])
  }
}

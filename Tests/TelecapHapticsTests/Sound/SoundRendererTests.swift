import TelecapHaptics
import TelecapRecording
import Testing

@Suite struct SoundRendererTests {
  private let click = SoundClip(rate: 48_000, channels: [[1, 0, 0, 0]])

  private func rendered(_ voices: [SoundVoice], _ space: SoundSpace = SoundSpace()) -> (left: [Float], right: [Float]) {
    var renderer = SoundRenderer(voices, in: space, for: ListenerPath())
    var samples: [Float] = []
    while renderer.frame < renderer.length { samples += renderer.next() }
    return (
      samples.indices.filter { $0 % 2 == 0 }.map { samples[$0] },
      samples.indices.filter { $0 % 2 == 1 }.map { samples[$0] }
    )
  }

  @Test("A click on the right reaches the left ear later")
  func aClickOnTheRightComesLaterToTheLeftEar() throws {
    let voice = SoundVoice(click, at: Timestamp(nanoseconds: 1_000_000), position: Track(Vector3(2, 0, -2)))
    let heard = rendered([voice], SoundSpace(output: .headset))
    let placement = SoundSpace(output: .headset).placement(of: SoundSource(at: Vector3(2, 0, -2)), for: Listener())
    let right = try #require(heard.right.firstIndex { $0 > 0 })
    let left = try #require(heard.left.firstIndex { $0 > 0 })
    #expect(right == 48 && abs(Double(heard.right[48]) - placement.right) < 1e-6)
    #expect(left == 48 + Int(placement.delay * 48_000))
    // Between two samples the click is shared by them.
    #expect(abs(Double(heard.left[left] + heard.left[left + 1]) - placement.left) < 1e-6)
  }

  @Test("The sound of a moving source changes")
  func aSourceThatMovesIsHeardMoving() {
    let tone = SoundClip(rate: 48_000, channels: [[Float](repeating: 0.5, count: 48_000)])
    let path = Track([
      (Timestamp.zero, Vector3(-5, 0, -0.1)), (Timestamp(nanoseconds: 1_000_000_000), Vector3(5, 0, -0.1)),
    ])
    let heard = rendered([SoundVoice(tone, at: .zero, position: path)])
    #expect(heard.left[1_000] > heard.right[1_000] && heard.left[47_000] < heard.right[47_000])
    #expect(heard.left[24_000] > heard.left[1_000], "it comes nearer")
    let steps = zip(heard.left, heard.left.dropFirst()).map { abs($0 - $1) }
    #expect((steps.dropLast(60).max() ?? 1) < 0.005, "without clicks")
  }

  @Test("A bed is played unchanged, and a sound can be stopped")
  func aBedIsPlayedAsItIsAndASoundCanBeBrokenOff() {
    let bed = SoundClip(rate: 48_000, channels: [[0.25, 0.25], [0.75, 0.75]])
    let heard = rendered([SoundVoice(bed, at: .zero, position: Track(Vector3(90, 0, 0)))])
    #expect(heard.left[0] == 0.25 && heard.right[1] == 0.75)
    let tone = SoundClip(rate: 48_000, channels: [[Float](repeating: 1, count: 48_000)])
    let cut = rendered([SoundVoice(tone, at: .zero, until: Timestamp(nanoseconds: 1_000_000), position: nil)])
    #expect(cut.left[47] == 1 && cut.left[48] == 0)
  }

  @Test("A repeating sound goes on at its level")
  func aSoundThatRepeatsGoesOnAtItsLevel() throws {
    var voice = SoundVoice(
      SoundClip(rate: 48_000, channels: [[1, 0.5, 0, 0.5]]), at: .zero, until: Timestamp(nanoseconds: 20_000_000),
      position: nil)
    voice.repeats = true
    voice.level = try #require(
      Track([
        (Timestamp.zero, 1.0), (Timestamp(nanoseconds: 10_666_667), 0.5), (Timestamp(nanoseconds: 30_000_000), 0.5),
      ]))
    let heard = rendered([voice])
    #expect(heard.left[0] == 1 && abs(heard.left[512] - 0.5) < 1e-4 && abs(heard.left[516] - 0.5) < 1e-4)
    #expect(heard.left[959] > 0.2 && heard.left[960...].allSatisfy { $0 == 0 }, "until its end")
  }

  @Test("The rumble loops without a click")
  func theRumbleBeginsAgainWithoutAClick() {
    let samples = SoundClip.rumble.channels[0]
    let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
    #expect(abs(samples[samples.count - 1] - samples[0]) <= steps.max() ?? 0)
    #expect(samples.map(abs).max() ?? 0 > 0.5)
  }

  @Test("A sample that is too loud is clipped and counted")
  func whatIsTooLoudIsCutAndCounted() {
    let voice = SoundVoice(click, at: .zero, position: nil)
    var renderer = SoundRenderer([voice, voice], in: SoundSpace(), for: ListenerPath())
    #expect(renderer.next()[0] == 1 && renderer.clipped == 2)
  }

  @Test("The burst is a sound that decays")
  func theBurstIsASoundThatDiesAway() {
    let burst = SoundClip.burst
    #expect(burst.duration == 600_000_000 && burst.channels.count == 1)
    let samples = burst.channels[0].map(abs)
    let (early, late) = (samples[..<4_800].max() ?? 0, samples[24_000...].max() ?? 1)
    #expect(early > 0.3 && early <= 1 && late < early / 20, "\(early) \(late)")
  }
}

@Suite struct WAVTests {
  private func file(_ samples: [Float], channels: Int = 2) -> [UInt8] {
    var bytes = WAV.header(frames: samples.count / channels, channels: channels)
    WAV.append(samples, to: &bytes)
    return bytes
  }

  @Test("A written WAV file is read back")
  func whatIsWrittenIsRead() throws {
    let clip = try SoundClip(wav: file([0, 1, -1, 0.5]))
    #expect(
      clip.rate == 48_000
        && clip.channels
          == [[0, -1], [1, 0.5]].map { $0.map { Float($0) } }.map { row in
            row.map { ($0 * 8_388_607).rounded() / 8_388_607 }
          }
    )
  }

  @Test("Every shorter file is rejected")
  func everyShorterFileIsRefused() {
    let whole = file([0.1, 0.2, 0.3, 0.4])
    for count in whole.indices {
      #expect(throws: WAVError.self, "\(count)") { try SoundClip(wav: Array(whole[..<count])) }
    }
  }

  @Test("A WAV file that is not supported is an error with the reason")
  func whatIsNotReadIsSaid() {
    var bytes = file([0, 0])
    bytes[20] = 2
    #expect(throws: WAVError.encoding(format: 2, bits: 24)) { try SoundClip(wav: bytes) }
    bytes[22] = 6
    #expect(throws: WAVError.shape(channels: 6, rate: 48_000)) { try SoundClip(wav: bytes) }
    #expect(throws: WAVError.notWAV) { try SoundClip(wav: Array("OggS".utf8)) }
    #expect(throws: WAVError.missing("data")) { try SoundClip(wav: Array(file([0, 0])[..<36])) }
  }
}

import Foundation
import TelecapHaptics
import TelecapRecording
import TelecapTestSupport
import Testing

/// The model of sound against one in Python that was written from the document alone.
@Suite(.real("runs Python")) struct IndependentSoundTests {
  /// 10,000 scenes and where `rules` hear them, a line each.
  private func scenes(by rules: SoundRules) -> String {
    var random = SplitMix64(seed: 13)
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    return (0..<10_000).map { _ in
      let model = DistanceGain.Model.allCases.randomElement(using: &random) ?? .inverse
      let reference = number(0.1...5)
      let law = DistanceGain(model, reference: reference, maximum: reference + number(0.1...50), rolloff: number(0...3))
      let isHeadset = Bool.random(using: &random)
      var space = SoundSpace(scale: number(0.005...2), distance: law, output: isHeadset ? .headset : .speakers)
      space.rules = rules
      let places = (0..<6).map { _ in number(-30...30) }
      let angles = (0..<6).map { _ in number(-200...200) }
      let channels = Int.random(in: 0..<10, using: &random) == 0 ? 2 : 1
      let heard = space.placement(
        of: SoundSource(at: Vector3(places[0], places[1], places[2]), channels: channels),
        for: Listener(
          position: Vector3(places[3], places[4], places[5]),
          camera: Rotation(Attitude(yaw: angles[0], pitch: angles[1], roll: angles[2])),
          head: Rotation(Attitude(yaw: angles[3], pitch: angles[4], roll: angles[5]))))
      let given: [Double] =
        [Double(DistanceGain.Model.allCases.firstIndex(of: model) ?? 0), law.reference, law.maximum, law.rolloff]
        + [space.scale, isHeadset ? 1 : 0] + places + angles + [Double(channels)]
      let found = [
        heard.distance, heard.gain, heard.azimuth, heard.elevation, heard.delay, heard.left, heard.right,
      ]
      return (given + found).map { "\($0)" }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  private func compared(_ rules: SoundRules) throws -> Finished {
    let folder = try Folder()
    let file = try folder.write(Array(scenes(by: rules).utf8), to: "scenes.txt")
    let independent = Project.file("Tests/Independent")
    return try Running(
      independent.appending(path: "with-numpy").path,
      [independent.appending(path: "sound_scenes.py").path, file]
    ).finish(seconds: 120)
  }

  @Test("Ten thousand scenes sound the same in an independent implementation")
  func tenThousandScenesAreHeardAlike() throws {
    let end = try compared(SoundRules())
    #expect(end.status == 0, "\(end.output)\(end.errors)")
    #expect(end.output.hasPrefix("10000 scenes;"))
  }

  @Test("A wrong implementation does not sound the same")
  func aSystemThatIsWrongIsNotHeardAlike() throws {
    var rules = SoundRules()
    rules.swapsEars = true
    #expect(try compared(rules).status == 1)
  }
}

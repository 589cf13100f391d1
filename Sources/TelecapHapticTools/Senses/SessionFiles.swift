import TelecapFiles
import TelecapHaptics
import TelecapReport
import TelecapText

extension SensesFiles {
  /// The maximum difference between the pattern and an applied strength.
  public static let tolerance = 0.02

  /// Writes the requested files of a session: `felt.ahap`, its sound, the picture.
  ///
  /// - Returns: the written and the omitted files, as sentences.
  /// - Throws: `FileError`
  public func write(_ followed: FollowedSession, _ clip: SoundClip, notes: [String], title: String) throws -> [String] {
    var said: [String] = []
    if let patterns { said.append(try write(patternOf: followed, into: patterns)) }
    if let sound { said.append(try write(soundOf: followed.renderer(clip), to: sound)) }
    if let picture {
      try Output.write(SensesPicture(followed, clip, title: title, notes: notes).svg, to: picture, force: force)
      said.append("\(picture): moved, heard and felt")
    }
    return said
  }

  private func write(patternOf followed: FollowedSession, into folder: String) throws -> String {
    guard let fitted = followed.pattern(tolerance: SensesFiles.tolerance) else {
      return "\(folder): no pattern, for nothing was felt"
    }
    if !Folders.isFolder(folder) { try Folders.create(folder) }
    try Output.write(fitted.pattern.text, to: "\(folder)/felt.ahap", force: force)
    return "\(folder)/felt.ahap: \(fitted.points) points, largest difference \(Numbers.fixed(fitted.error, 4))"
  }
}

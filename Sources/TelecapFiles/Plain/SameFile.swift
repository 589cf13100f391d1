/// Two files that a person named are the same one: what is written to it would be lost, or what is read from it.
public struct SameFile: Hashable, Sendable, CustomStringConvertible {
  /// What stands for the two where they were named: `--html`, `the recording`.
  public let first, second: String
  /// The file, as the second was spelled.
  public let path: String

  /// The first two of these that are the same file, however they are spelled; nil where all differ. `-` is no file.
  public init?(among files: [(name: String, path: String?)]) {
    let named = files.compactMap { file in file.path.map { (name: file.name, path: $0) } }.filter { $0.path != "-" }
    for (index, file) in named.enumerated() {
      guard let other = named[..<index].first(where: { Folders.areSame($0.path, file.path) }) else { continue }
      (first, second, path) = (other.name, file.name, file.path)
      return
    }
    return nil
  }

  /// What is wrong, and what to do.
  public var description: String { "\(first) and \(second) are the same file, \(path); give another one" }
}

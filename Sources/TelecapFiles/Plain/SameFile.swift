/// Two files of one command are the same one: what is written to it would be lost, or what is read from it.
public struct SameFile: Hashable, Sendable, CustomStringConvertible {
  /// A file that was named: by what stands for it, `--html`, `the recording`, and its path; nil where it was not given.
  public typealias Named = (name: String, path: String?)

  /// What stands for the two where they were named.
  public let first, second: String
  /// The file, as the second was spelled.
  public let path: String

  /// The first two of these that are the same file, however they are spelled; nil where all differ. `-` is standard input where it
  /// is read, and standard output where it is written: these are files too where a shell made them so, and what is printed goes there
  /// whether it is named or not.
  public init?(among read: [Named], to written: [Named] = []) {
    var seen: [FilePlace: Named] = [:]
    let paths = read.filter { $0.path != "-" } + written.filter { !($0.path.map(StandardOutput.isNamed) ?? false) }
    for file in paths {
      guard let path = file.path, let identity = FilePlace(path) else { continue }
      if let other = seen[identity], other.name != file.name {
        (first, second, self.path) = (other.name, file.name, path)
        return
      }
      seen[identity] = file
    }
    if let input = read.first(where: { $0.path == "-" }), let identity = FilePlace(stream: 0) {
      let other = paths.dropFirst(read.count { $0.path != "-" }).first {
        $0.path.flatMap { FilePlace($0) } == identity
      }
      if let other {
        (first, second, path) = (input.name, other.name, other.path ?? "")
        return
      }
      seen[identity] = input
    }
    for (stream, name) in [(Int32(1), "standard output"), (2, "standard error")] {
      guard let identity = FilePlace(stream: stream, isWritten: true), let other = seen[identity] else { continue }
      (first, second, path) = (other.name, name, other.path == "-" ? "standard input" : other.path ?? "")
      return
    }
    return nil
  }

  /// What is wrong, and what to do.
  public var description: String { "\(first) and \(second) are the same file, \(path); give another one" }
}

extension FileError {
  /// Throws `isOutput` where the file at `path`, or standard input for `-`, is the one that standard output or error goes to:
  /// it would grow while it is read.
  static func refuseOutput(_ path: String) throws(FileError) {
    guard let identity = path == "-" ? FilePlace(stream: 0) : FilePlace(path) else { return }
    for stream: Int32 in [1, 2] where FilePlace(stream: stream, isWritten: true) == identity {
      throw .isOutput(path: path == "-" ? "standard input" : path, isError: stream == 2)
    }
  }
}

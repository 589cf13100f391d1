/// The error for a command whose two files are the same: one would overwrite the other, or a file that is being read.
public struct SameFile: Hashable, Sendable, CustomStringConvertible {
  /// A file on the command line: its name there, `--html` or `the recording`, and its path; nil if it was not given.
  public typealias Named = (name: String, path: String?)

  /// The names of the two files.
  public let first, second: String
  /// The path, as spelled for the second.
  public let path: String

  /// The first two of these that are the same file, however they are spelled; nil if all differ. `-` is standard input
  /// for reading, and standard output for writing. They count as files too if they are redirected to files, and
  /// standard output counts even if it is not named.
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

  /// The problem and the advice.
  public var description: String { "\(first) and \(second) are the same file, \(path); give another one" }
}

extension FileError {
  /// Throws `isOutput` if the file at `path`, or standard input for `-`, is the one to which standard output or error
  /// is redirected, because it would grow while it is read.
  static func refuseOutput(_ path: String) throws(FileError) {
    guard let identity = path == "-" ? FilePlace(stream: 0) : FilePlace(path) else { return }
    for stream: Int32 in [1, 2] where FilePlace(stream: stream, isWritten: true) == identity {
      throw .isOutput(path: path == "-" ? "standard input" : path, isError: stream == 2)
    }
  }
}

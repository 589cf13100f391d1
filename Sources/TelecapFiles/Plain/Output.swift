import TelecapCapture
import TelecapText

/// Results: bytes for standard output or a file, written in large pieces. Call `finish` at the end, and `flush` after each
/// line that somebody waits for: what is not flushed is not written, and a file that is not finished is none.
public struct Output: ~Copyable {
  private let descriptor: Descriptor
  private let name: String
  private let file: PendingFile?
  /// Whether somebody looks at it: what a terminal would obey is shown by its number there.
  public let isTerminal: Bool
  /// What waits to be written; writers of text append to it.
  public var buffer: [UInt8] = []
  private static let size = 65_536

  /// Standard output.
  public init() { self.init(.output, name: "standard output", nil) }

  /// Standard error, for what would be a result were standard output not another's.
  public static func talk() -> Output { Output(.errors, name: "standard error", nil) }

  /// A file that was begun, at its path; written when it is finished.
  ///
  /// - Throws: `FileError.cannotCreate`
  public init(_ file: PendingFile) throws(FileError) {
    if file.path == "-" {
      self.init()
      return
    }
    do throws(ErrnoError) {
      self.init(try .writing(file.workingPath), name: file.path, file)
    } catch {
      throw .cannotCreate(path: file.path, error)
    }
  }

  /// A new file at `path`, which is there when it is finished; `-` is standard output.
  ///
  /// - Throws: `FileError.exists` when something is there and `force` is false; `cannotCreate`.
  public init(path: String, force: Bool) throws(FileError) {
    try self.init(PendingFile(at: path, force: force))
  }

  private init(_ descriptor: consuming Descriptor, name: String, _ file: PendingFile?) {
    isTerminal = descriptor.isTerminal
    self.descriptor = descriptor
    self.name = name
    self.file = file
    buffer.reserveCapacity(Output.size + 4_096)
  }

  /// Adds a line. On standard output, wherever that leads, it holds nothing that a terminal would obey but its colours; a file gets it
  /// as it is.
  public mutating func line(_ text: String) throws(FileError) {
    buffer.append(contentsOf: (file == nil ? text.unfolded.harmless : text).utf8)
    buffer.append(UInt8(ascii: "\n"))
    try flushIfLarge()
  }

  /// Adds bytes.
  public mutating func write(_ bytes: [UInt8]) throws(FileError) {
    buffer.append(contentsOf: bytes)
    try flushIfLarge()
  }

  /// Adds what a writer holds, and empties it.
  public mutating func take(_ json: inout JSONWriter) throws(FileError) {
    buffer.append(contentsOf: json.bytes)
    json.removeAll()
    try flushIfLarge()
  }

  /// Writes what waits, once it is worth it.
  public mutating func flushIfLarge() throws(FileError) {
    if buffer.count >= Output.size { try flush() }
  }

  /// Writes what waits.
  ///
  /// - Throws: `FileError.readerGone`, `cannotWrite` or `cutOff`.
  public mutating func flush() throws(FileError) {
    do throws(ErrnoError) {
      // Lines come whole into the buffer, so that no character lies in two.
      try descriptor.write(isTerminal ? Array(String(decoding: buffer, as: UTF8.self).harmless.utf8) : buffer)
    } catch {
      if error.isBrokenPipe { throw .readerGone }
      throw file?.isWrittenInPlace == true ? .cutOff(path: name, error) : .cannotWrite(name: name, error)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes what waits; a file takes its place.
  ///
  /// - Throws: as `flush` does; `FileError.exists` when somebody else made a file there meanwhile; `cannotCreate`.
  public mutating func finish() throws(FileError) {
    try flush()
    try file?.place()
  }
}

extension Output {
  /// A whole file at `path`, in place of one that is there; `-` is standard output.
  ///
  /// - Throws: `FileError`
  public static func write(_ bytes: [UInt8], to path: String, force: Bool = true) throws(FileError) {
    var output = try Output(path: path, force: force)
    try output.write(bytes)
    try output.finish()
  }

  /// The same of text.
  public static func write(_ text: String, to path: String, force: Bool = true) throws(FileError) {
    try write(Array(text.utf8), to: path, force: force)
  }
}

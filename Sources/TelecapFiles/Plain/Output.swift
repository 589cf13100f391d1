import TelecapCapture
import TelecapText

/// Writes results to standard output or a file in large blocks. Call `finish` at the end, and `flush` after each line
/// for which a reader waits: bytes that are not flushed are not written, and a file that is not finished is discarded.
public struct Output: ~Copyable {
  private let descriptor: Descriptor
  private let name: String
  private let file: PendingFile?
  /// Whether it is a terminal, for which control characters are escaped.
  public let isTerminal: Bool
  /// The bytes that are not written yet; writers of text append to it.
  public var buffer: [UInt8] = []
  private static let size = 65_536

  /// Standard output.
  public init() { self.init(.output, name: "standard output", nil) }

  /// Standard error, for results when standard output is used for other data.
  public static func talk() -> Output { Output(.errors, name: "standard error", nil) }

  /// A pending file, which is at its path once it is finished.
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

  /// A new file at `path`, which exists once it is finished; `-` is standard output.
  ///
  /// - Throws: `FileError.exists` if a file exists and `force` is false; `cannotCreate`.
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

  /// Appends a line. On standard output, wherever it leads, control characters are escaped except for our colours; a
  /// file gets the line unchanged.
  public mutating func line(_ text: String) throws(FileError) {
    buffer.append(contentsOf: (file == nil ? text.unfolded.harmless : text).utf8)
    buffer.append(UInt8(ascii: "\n"))
    try flushIfLarge()
  }

  /// Appends bytes.
  public mutating func write(_ bytes: [UInt8]) throws(FileError) {
    buffer.append(contentsOf: bytes)
    try flushIfLarge()
  }

  /// Appends the content of a writer, and clears it.
  public mutating func take(_ json: inout JSONWriter) throws(FileError) {
    buffer.append(contentsOf: json.bytes)
    json.removeAll()
    try flushIfLarge()
  }

  /// Writes the buffer if it is large.
  public mutating func flushIfLarge() throws(FileError) {
    if buffer.count >= Output.size { try flush() }
  }

  /// Writes the buffer.
  ///
  /// - Throws: `FileError.readerGone`, `cannotWrite` or `cutOff`.
  public mutating func flush() throws(FileError) {
    do throws(ErrnoError) {
      // The buffer contains only whole lines, so no character is split.
      try descriptor.write(isTerminal ? Array(String(decoding: buffer, as: UTF8.self).harmless.utf8) : buffer)
    } catch {
      if error.isBrokenPipe { throw .readerGone }
      throw file?.isWrittenInPlace == true ? .cutOff(path: name, error) : .cannotWrite(name: name, error)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the buffer and moves a file to its path.
  ///
  /// - Throws: as `flush` does; `FileError.exists` if another process created the file meanwhile; `cannotCreate`.
  public mutating func finish() throws(FileError) {
    try flush()
    try file?.place()
  }
}

extension Output {
  /// Writes a whole file at `path`, and replaces an existing one; `-` is standard output.
  ///
  /// - Throws: `FileError`
  public static func write(_ bytes: [UInt8], to path: String, force: Bool = true) throws(FileError) {
    var output = try Output(path: path, force: force)
    try output.write(bytes)
    try output.finish()
  }

  /// The same for text.
  public static func write(_ text: String, to path: String, force: Bool = true) throws(FileError) {
    try write(Array(text.utf8), to: path, force: force)
  }
}

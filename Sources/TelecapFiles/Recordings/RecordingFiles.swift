import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapWire

/// Reads and writes recordings on disk, with the protocols of a program.
public struct RecordingFiles: Sendable {
  /// The data about the program in the captures that it makes.
  public struct Maker: Sendable {
    /// The program's version.
    public var version: String
    /// The machine on which it runs.
    public var host: String
    /// The command line.
    public var commandLine: String
    /// The current time.
    public var now: @Sendable () -> Timestamp

    /// A program with this version.
    public init(
      version: String, host: String = "", commandLine: String = "", now: @escaping @Sendable () -> Timestamp
    ) {
      (self.version, self.host, self.commandLine, self.now) = (version, host, commandLine, now)
    }

    /// The metadata of a capture that starts now.
    ///
    /// - Parameter clock: the clock of the timestamps, in words.
    public func info(source: String, filter: String = "", clock: String, ports: Ports) -> CaptureInfo {
      var info = CaptureInfo(
        version: version, host: host, clock: clock, source: source, filter: filter, commandLine: commandLine,
        started: now())
      info.ports = ports.numbers
      return info
    }
  }

  /// The built-in protocols. Their declarations in a capture are only for documentation.
  let builtIn: [WireProtocol]
  /// The requested protocols of files.
  let declared: [WireProtocol]
  /// The tables of captures with the messages of all protocols.
  public let schema: CaptureSchema
  /// The data about us in captures.
  public let maker: Maker
  /// Parses a declaration from a capture.
  public typealias Reading =
    @Sendable (_ text: String, _ place: String, _ others: [WireProtocol]) throws -> WireProtocol

  let read: Reading
  /// Logs notes about an opened file.
  let tell: @Sendable (String) -> Void

  /// The recordings of a program with these built-in protocols and those from files.
  ///
  /// - Parameters:
  ///   - declaration: parses a declaration; its second argument is the position for errors, the third one the protocols
  ///     before it in the capture.
  ///   - tell: logs notes about an opened file.
  public init(
    builtIn: [WireProtocol], declared: [WireProtocol], maker: Maker,
    reading declaration: @escaping Reading, tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.builtIn, self.declared, self.maker, read, self.tell) = (builtIn, declared, maker, declaration, tell)
    schema = CaptureSchema(builtIn + declared)
  }

  /// The protocols, in the order in which captures number their messages.
  public var protocols: [WireProtocol] { schema.protocols }

  /// Whether there is a capture at this path. A stream is not a capture and is not probed, because its bytes can be
  /// read only once.
  func isCapture(_ path: String) throws(StoreError) -> Bool {
    guard !RecordingPlace.isStream(path) else { return false }
    return try CaptureFile.isSQLite(path)
  }
}

import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapWire

/// Recordings on disk, as a program reads and makes them that knows certain protocols.
public struct RecordingFiles: Sendable {
  /// What a capture says about the program that made it.
  public struct Maker: Sendable {
    /// The program's version.
    public var version: String
    /// The machine that it runs on.
    public var host: String
    /// How it was called.
    public var commandLine: String
    /// What time it is.
    public var now: @Sendable () -> Timestamp

    /// A program of this version.
    public init(
      version: String, host: String = "", commandLine: String = "", now: @escaping @Sendable () -> Timestamp
    ) {
      (self.version, self.host, self.commandLine, self.now) = (version, host, commandLine, now)
    }

    /// What a capture that begins now says of how it came to be.
    ///
    /// - Parameter clock: which clock the timestamps are from, in words.
    public func info(source: String, filter: String = "", clock: String, ports: Ports) -> CaptureInfo {
      var info = CaptureInfo(
        version: version, host: host, clock: clock, source: source, filter: filter, commandLine: commandLine,
        started: now())
      info.ports = ports.numbers
      return info
    }
  }

  /// The protocols that are written in Swift: what a capture says of them is its history, not its declaration.
  let builtIn: [WireProtocol]
  /// Those of files, which somebody asked for.
  let declared: [WireProtocol]
  /// The tables of captures that hold the messages of all of them.
  public let schema: CaptureSchema
  /// What captures say of us.
  public let maker: Maker
  /// Reads a declaration out of a capture.
  public typealias Reading =
    @Sendable (_ text: String, _ place: String, _ others: [WireProtocol]) throws -> WireProtocol

  let read: Reading
  /// Is told what a person should know of a file that is opened.
  let tell: @Sendable (String) -> Void

  /// The recordings of a program that knows the built-in protocols and those that were declared in files.
  ///
  /// - Parameters:
  ///   - declaration: reads the text of a declaration; its second argument says where it stands, for errors, the third what
  ///     the capture holds before it.
  ///   - tell: is told what a person should know of a file that is opened.
  public init(
    builtIn: [WireProtocol], declared: [WireProtocol], maker: Maker,
    reading declaration: @escaping Reading, tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.builtIn, self.declared, self.maker, read, self.tell) = (builtIn, declared, maker, declaration, tell)
    schema = CaptureSchema(builtIn + declared)
  }

  /// The protocols, in the order in which captures number their messages.
  public var protocols: [WireProtocol] { schema.protocols }

  /// Whether there is a capture at this path; a stream is none, and is not looked into: what is read of it is gone.
  func isCapture(_ path: String) throws(StoreError) -> Bool {
    guard !RecordingPlace.isStream(path) else { return false }
    return try CaptureFile.isSQLite(path)
  }
}

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

  /// The protocols, in the order in which captures number their messages.
  public let protocols: [WireProtocol]
  /// The tables of captures that hold their messages.
  public let schema: CaptureSchema
  /// What captures say of us.
  public let maker: Maker
  /// Those that are written in Swift: what a capture says of them is its history, not its declaration.
  private let builtIn: Set<ObjectIdentifier>
  /// Reads a declaration out of a capture.
  public typealias Reading =
    @Sendable (_ text: String, _ place: String, _ others: [WireProtocol]) throws -> WireProtocol

  private let declared: Reading

  /// The recordings of a program that knows the built-in protocols and those that were declared in files.
  ///
  /// - Parameter declaration: reads the text of a declaration; its second argument says where it stands, for errors, the third what
  ///   the capture holds before it.
  public init(
    builtIn: [WireProtocol], declared: [WireProtocol], maker: Maker,
    reading declaration: @escaping Reading
  ) {
    protocols = builtIn + declared
    schema = CaptureSchema(protocols)
    self.builtIn = Set(builtIn.map { ObjectIdentifier($0) })
    self.maker = maker
    self.declared = declaration
  }

  /// Opens a capture for reading, with the protocols that it was made with: what else is loaded changes nothing in it, and
  /// what is not loaded is read from its own declaration.
  ///
  /// - Throws: `StoreError`; what is wrong with a stored declaration.
  public func reader(_ path: String) throws -> CaptureReader { try CaptureReader(path: path, try schema(of: path)) }

  /// The tables of a capture that is there.
  ///
  /// - Throws: as `reader` does.
  public func schema(of path: String) throws -> CaptureSchema {
    let stored = try CaptureReader(path: path, CaptureSchema([])).declarations()
    guard !stored.isEmpty, stored.map(\.name) != protocols.map(\.name) else { return schema }
    var known: [WireProtocol] = []
    for declaration in stored {
      let loaded = protocols.first { one in
        one.name == declaration.name && (one.digest == declaration.digest || builtIn.contains(ObjectIdentifier(one)))
      }
      known.append(try loaded ?? declared(declaration.text, "\(path), protocol \(declaration.name)", known))
    }
    return CaptureSchema(known)
  }

  /// The ports that a capture was made with; nil for every other recording.
  ///
  /// - Throws: `StoreError` when there is no such file; as `reader` does.
  public func ports(of path: String) throws -> Ports? {
    guard try isCapture(path) else { return nil }
    let reader = try reader(path)
    return Ports(reader.schema.protocols).with(try reader.info().ports)
  }

  /// Opens a recording, whatever it was stored as; the path `-` is standard input, which holds pcap or pcapng.
  ///
  /// - Throws: `StoreError` or `CaptureFileError` when there is no such file, or it is no recording.
  public func open(_ place: RecordingPlace) throws -> RecordingInput {
    switch place {
    case .packets(let list): .packets(list)
    case .path(let path):
      if try isCapture(path) { .capture(try reader(path)) } else { .file(try CaptureFileReader(path: path)) }
    }
  }

  /// Whether there is a capture at this path; `-` is none.
  func isCapture(_ path: String) throws(StoreError) -> Bool {
    guard path != "-" else { return false }
    return try CaptureFile.isSQLite(path)
  }
}

import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapWire

/// A recording with its protocols and ports (`RecordingFiles.recording`), which are used for every query.
public struct Recording: Sendable {
  /// The location.
  public let place: RecordingPlace
  /// The recordings of the program.
  public let files: RecordingFiles
  /// The ports that identify its protocols.
  public let ports: Ports
  /// The tables of its messages.
  let schema: CaptureSchema
  /// Whether it is a capture that is read with its own protocols and ports, so that its tables contain its messages.
  let isAsMade: Bool
  /// Whether its file is known to be a capture and need not be checked again.
  var isKnownCapture = false
  /// The requested port numbers of a stream, whose own numbers are known only when it is open.
  var asked: [String: UInt16]?
  /// The time window whose packets `withCapture` and `summary` contain; nil for all. Packets before it are read too,
  /// because they decide findings.
  public var window: CaptureWindow?

  /// The protocols of its messages, in the order in which a capture numbers their messages.
  public var protocols: [WireProtocol] { schema.protocols }

  /// Opens it; the path `-` is standard input, which must be pcap or pcapng.
  ///
  /// - Throws: `StoreError` or `CaptureFileError` if the file does not exist, or is not a recording.
  public func open() throws -> RecordingInput {
    switch place {
    case .packets(let list): .packets(list)
    case .path(let path):
      if try isCapture(path) {
        .capture(try CaptureReader(path: path, schema))
      } else {
        .file(try CaptureFileReader(path: path))
      }
    }
  }

  /// The ports that identify its protocols, once it is open.
  ///
  /// - Throws: `PortProblem`
  func ports(of input: borrowing RecordingInput) throws(PortProblem) -> Ports {
    guard let asked, case .path(let path) = place else { return ports }
    return try files.readingPorts(asked, told: input.ports, of: path)
  }

  /// Whether the file at its path is a capture.
  func isCapture(_ path: String) throws(StoreError) -> Bool {
    if isKnownCapture { return true }
    return try files.isCapture(path)
  }

  /// Dissects it up to damage.
  ///
  /// - Returns: the damage.
  /// - Throws: as `open` does; any error of the sink.
  public func dissect(to sink: inout some DissectionSink & ~Copyable) throws -> Damage? {
    var input = try open()
    var dissector = Dissector(ports: try ports(of: input))
    let damage = try Damage.ending {
      try input.forEach { header, frame in try dissector.receive(header, frame, to: &sink) }
    }
    files.reportNotes(on: input)
    try dissector.finish(to: &sink)
    return damage
  }

  /// Calls `body` with a capture of it. This is the capture itself, with missing messages derived. It is a temporary
  /// one if the recording is not a capture, is read with other protocols or ports than its own or in a window, is still
  /// being recorded, or may not be written.
  ///
  /// - Returns: the result of `body`, and the damage of the recording.
  /// - Throws: as `RecordingFiles.importing` and `derive` do; any error of `body`.
  public func withCapture<Result>(_ body: (CaptureReader) throws -> Result) throws -> (Result, Damage?) {
    if let path = pathAsMade, try underived(path) == nil {
      return (try body(CaptureReader(path: path, schema)), nil)
    }
    return try TemporaryFile.with(suffix: ".telecap") { temporary in
      let made = try files.importing(self, into: temporary)
      return (try body(reader(made, at: temporary)), made.damage)
    }
  }

  /// The same for an asynchronous `body`.
  ///
  /// - Throws: as `RecordingFiles.importing` and `derive` do; any error of `body`.
  public func withCapture<Result: Sendable>(
    _ body: (CaptureReader, Damage?) async throws -> Result
  ) async throws -> Result {
    if let path = pathAsMade, try underived(path) == nil {
      return try await body(CaptureReader(path: path, schema), nil)
    }
    return try await TemporaryFile.with(suffix: ".telecap") { temporary in
      let made = try files.importing(self, into: temporary)
      return try await body(reader(made, at: temporary), made.damage)
    }
  }

  /// A reader of the temporary capture, with data that the file does not contain: the handles that were named but did
  /// not occur, and the window.
  private func reader(_ made: Imported, at path: String) throws -> CaptureReader {
    let start = made.filter?.start
    return try CaptureReader(
      made: path, start.map(schema.counting) ?? schema, idle: made.summary.unread.attributes.idle, filter: made.filter)
  }

  /// The path of a capture whose tables contain just its messages.
  private var pathAsMade: String? {
    guard isAsMade, window == nil, case .path(let path) = place else { return nil }
    return path
  }

  /// The packets that match an SQL condition, in the window or not.
  ///
  /// - Throws: `FileError.standardInputOnce`; `StoreError.badCondition`; as `withCapture` does.
  public func packets(where condition: String) throws -> PacketSelection {
    if case .path(let path) = place, RecordingPlace.isStream(path) { throw FileError.standardInputOnce }
    var whole = self
    whole.window = nil
    return try whole.withCapture { try $0.select(where: condition) }.0
  }

  /// The summary. Of a capture that is being recorded, or may not be written, only the packets are counted.
  ///
  /// - Returns: the summary, up to the damage; the damage; and the reason why only its packets are known, nil if
  ///   everything is.
  /// - Throws: as `withCapture` does.
  public func summary() throws -> (summary: CaptureSummary, damage: Damage?, underived: Underived?) {
    guard let path = pathAsMade else {
      let (numbers, damage) = try withCapture { reader in try summary(of: reader) }
      return (numbers, damage, nil)
    }
    let underived = try underived(path)
    return (try summary(of: CaptureReader(path: path, schema)), nil, underived)
  }

  /// The summary of a capture of it, with the data that were not read.
  ///
  /// - Throws: `StoreError`
  private func summary(of capture: CaptureReader) throws -> CaptureSummary {
    var summary = try capture.summary()
    if summary.isDissected { summary.unread = try unread(in: capture) }
    return summary
  }

  /// The packets that were not read in a capture of it: all if it has no messages; otherwise those of unknown link
  /// types, and encapsulated ones.
  ///
  /// - Throws: `StoreError`
  public func unread(in capture: CaptureReader) throws -> UnreadTraffic {
    let isUnderstood = try capture.hasMessages()
    let ports = Ports(capture.schema.protocols).with(try capture.info().ports)
    var unread = UnreadTraffic()
    unread.attributes.idle = capture.idle
    var frames = FrameReader(ports: ports)
    try capture.forEachPacket { header, frame in
      let content = frames.read(frame, header).content
      if isUnderstood {
        unread.count(unreadable: content, besides: ports)
      } else {
        unread.count(content, besides: ports)
      }
    }
    return unread
  }

  /// Notes about data that were not read in a capture of it, as sentences.
  ///
  /// - Throws: `StoreError`
  public func notes(on capture: CaptureReader) throws -> [String] {
    try unread(in: capture).notes(messages: capture.hasMessages() ? 1 : 0)
  }

  /// Derives missing messages, because the recorder was killed before, or another version of telecap derived them. Nil
  /// if nothing is missing any more.
  private func underived(_ path: String) throws -> Underived? {
    guard try CaptureReader(path: path, schema).needsDissection() else { return nil }
    do {
      try files.derive(path)
      return nil
    } catch let error as StoreError {
      guard let underived = Underived(path: path, error) else { throw error }
      return underived
    }
  }
}

/// The reason why a capture's messages are missing and cannot be written into it, so that only its packets are known.
public struct Underived: Hashable, Sendable, CustomStringConvertible {
  /// The capture.
  public let path: String
  /// The reason why they could not be written.
  public let reason: StoreError

  /// Nil for errors of a damaged capture.
  init?(path: String, _ reason: StoreError) {
    switch reason {
    case .busy, .cannotCreate, .trigger, .nameTaken, .full, .notWritten, .noRoom:
      (self.path, self.reason) = (path, reason)
    default: return nil
    }
  }

  /// The reason and the advice.
  public var description: String {
    let words =
      switch reason {
      case .busy: "it is being recorded; ask again when that is done"
      case .cannotCreate: "it may not be written; copy it to where you may write, and ask for the copy"
      case .full: "its disk is full; make room, and ask again"
      default: "\("\(reason)".trimmingPrefix("\(path): "))"
      }
    return "\(path): its packets only: \(words)"
  }
}

import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapWire

/// A recording, and by what it is read (`RecordingFiles.recording`): whatever is asked of it goes by the same protocols and
/// ports.
public struct Recording: Sendable {
  /// Where it is.
  public let place: RecordingPlace
  /// The program's recordings.
  public let files: RecordingFiles
  /// What tells its protocols apart.
  public let ports: Ports
  /// The tables of its messages.
  let schema: CaptureSchema
  /// It is a capture that is read by what it was made with: its own tables hold its messages.
  let isAsMade: Bool
  /// Its file was seen to be a capture: it is not looked into again.
  var isKnownCapture = false
  /// Of a stream, which says what it was recorded with only when it is open: the numbers of ports that were asked for.
  var asked: [String: UInt16]?

  /// The protocols whose messages are looked for, in the order in which a capture numbers their messages.
  public var protocols: [WireProtocol] { schema.protocols }

  /// Opens it; the path `-` is standard input, which holds pcap or pcapng.
  ///
  /// - Throws: `StoreError` or `CaptureFileError` when there is no such file, or it is no recording.
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

  /// What tells its protocols apart, now that it is open.
  ///
  /// - Throws: `PortProblem`
  func ports(of input: borrowing RecordingInput) throws(PortProblem) -> Ports {
    guard let asked, case .path(let path) = place else { return ports }
    return try files.readingPorts(asked, told: input.ports, of: path)
  }

  /// Whether the file at its place is a capture.
  func isCapture(_ path: String) throws(StoreError) -> Bool {
    if isKnownCapture { return true }
    return try files.isCapture(path)
  }

  /// Dissects it as far as it goes.
  ///
  /// - Returns: what broke it.
  /// - Throws: as `open` does; what the sink throws.
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

  /// Calls `body` with a capture of it: with itself, its messages derived where they are missing; or, where it is none, is
  /// read by other protocols or ports than it was made with, is still recorded or may not be written, with one that is made
  /// for as long as `body` runs.
  ///
  /// - Returns: what `body` returned, and what broke the recording.
  /// - Throws: as `RecordingFiles.importing` and `derive` do; what `body` throws.
  public func withCapture<Result>(_ body: (CaptureReader) throws -> Result) throws -> (Result, Damage?) {
    if isAsMade, case .path(let path) = place, try underived(path) == nil {
      return (try body(CaptureReader(path: path, schema)), nil)
    }
    return try TemporaryFile.with(suffix: ".telecap") { temporary in
      let made = try files.importing(self, into: temporary)
      return (try body(reader(made, at: temporary)), made.damage)
    }
  }

  /// The same for as long as an asynchronous `body` runs.
  ///
  /// - Throws: as above.
  public func withCapture<Result: Sendable>(
    _ body: (CaptureReader, Damage?) async throws -> Result
  ) async throws -> Result {
    if isAsMade, case .path(let path) = place, try underived(path) == nil {
      return try await body(CaptureReader(path: path, schema), nil)
    }
    return try await TemporaryFile.with(suffix: ".telecap") { temporary in
      let made = try files.importing(self, into: temporary)
      return try await body(reader(made, at: temporary), made.damage)
    }
  }

  /// A reader of the capture that was made of it, which knows of handles that were named for nothing: the file does not say that.
  private func reader(_ made: Imported, at path: String) throws -> CaptureReader {
    try CaptureReader(made: path, schema, idle: made.summary.unread.attributes.idle)
  }

  /// The packets that an SQL condition chooses.
  ///
  /// - Throws: `FileError.standardInputOnce`; `StoreError.badCondition`; as `withCapture` does.
  public func packets(where condition: String) throws -> PacketSelection {
    if case .path(let path) = place, RecordingPlace.isStream(path) { throw FileError.standardInputOnce }
    return try withCapture { try $0.select(where: condition) }.0
  }

  /// It in numbers. Of a capture that is being recorded, or may not be written, only the packets are counted.
  ///
  /// - Returns: the numbers; what broke the recording: what came before it is summed up; why only its packets are known, nil where
  ///   all is.
  /// - Throws: as `withCapture` does.
  public func summary() throws -> (summary: CaptureSummary, damage: Damage?, underived: Underived?) {
    guard isAsMade, case .path(let path) = place else {
      let (numbers, damage) = try withCapture { reader in try summary(of: reader) }
      return (numbers, damage, nil)
    }
    let underived = try underived(path)
    return (try summary(of: CaptureReader(path: path, schema)), nil, underived)
  }

  /// A capture of it in numbers, and what was not read of it.
  ///
  /// - Throws: `StoreError`
  private func summary(of capture: CaptureReader) throws -> CaptureSummary {
    var summary = try capture.summary()
    if summary.isDissected { summary.unread = try unread(in: capture) }
    return summary
  }

  /// What was not read in a capture of it: where it holds no message, all its packets; else those of link types that are
  /// not known, and those that carry others.
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

  /// What a person should know of what was not read in a capture of it, in sentences.
  ///
  /// - Throws: `StoreError`
  public func notes(on capture: CaptureReader) throws -> [String] {
    try unread(in: capture).notes(messages: capture.hasMessages() ? 1 : 0)
  }

  /// Derives what is missing: the recording was killed before it could, or another version of telecap did it. Nil: nothing is
  /// missing any more.
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

/// Why a capture's messages are not in it, and cannot be written into it: only its packets are known.
public struct Underived: Hashable, Sendable, CustomStringConvertible {
  /// The capture.
  public let path: String
  /// Why they could not be written.
  public let reason: StoreError

  /// Nil where the capture is not what it should be.
  init?(path: String, _ reason: StoreError) {
    switch reason {
    case .busy, .cannotCreate, .trigger, .nameTaken, .full, .notWritten, .noRoom:
      (self.path, self.reason) = (path, reason)
    default: return nil
    }
  }

  /// Why, and what to do.
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

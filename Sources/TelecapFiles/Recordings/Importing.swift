import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapText
import TelecapWire

/// The result of an import.
public struct Imported: Sendable {
  /// The summary of the dissection.
  public let summary: DissectionSummary
  /// The damage of the input, which is also recorded in the capture.
  public let damage: Damage?
  /// The filter that selected its packets; nil if it has all.
  var filter: WindowFilter?
}

extension RecordingFiles {
  /// Converts a file of another program, or packets in memory, to a capture in one pass, up to damage in the input.
  ///
  /// - Parameters:
  ///   - name: the origin in the capture; by default the file's path.
  ///   - ports: the ports that identify protocols, whatever the file contains.
  /// - Throws: `CaptureFileError` or `StoreError`; then no file is left.
  @discardableResult
  public func importing(
    _ place: RecordingPlace, named name: String? = nil, into output: String, force: Bool, ports: Ports
  ) throws -> Imported {
    let recording = Recording(place: place, files: self, ports: ports, schema: schema, isAsMade: false)
    return try importing(recording, named: name, into: output, force: force)
  }

  /// The same for a recording that is not a capture, with its ports.
  ///
  /// - Throws: `CaptureFileError` or `StoreError`; `PortProblem`.
  public func importing(
    _ recording: Recording, named name: String? = nil, into output: String, force: Bool
  ) throws -> Imported {
    let input: RecordingInput
    var source = "memory"
    switch recording.place {
    case .packets(let list): input = .packets(list)
    case .path(let path):
      input = .file(try CaptureFileReader(path: path))
      source = path
    }
    let ports = try recording.ports(of: input)
    let info = maker.info(source: name ?? source, clock: "the file's own", ports: ports)
    return try importing(input, of: recording, info, into: output, force: force, schema, ports)
  }

  /// Makes a capture of any recording, with its protocols and ports; the origin of a capture is copied.
  func importing(_ recording: Recording, into output: String) throws -> Imported {
    let (schema, ports) = (recording.schema, recording.ports)
    guard case .path(let path) = recording.place, try recording.isCapture(path) else {
      return try importing(recording, into: output, force: true)
    }
    let reader = try CaptureReader(path: path, schema)
    var info = try reader.info()
    info.ports = ports.numbers
    return try importing(.capture(reader), of: recording, info, into: output, force: true, schema, ports)
  }

  private func importing(
    _ input: consuming RecordingInput, of recording: Recording, _ info: CaptureInfo, into output: String, force: Bool,
    _ schema: CaptureSchema, _ ports: Ports
  ) throws -> Imported {
    let writer = try ImportWriter(creating: output, info, schema, force: force)
    var sink = StoreSink(writer.dissection, schema.protocols, in: recording.window)
    var dissector = Dissector(ports: ports)
    var input = input
    let damage = try Damage.ending {
      try input.forEachNoted { header, frame, note in
        if sink.receive(header) {
          try writer.packets.add(header, frame)
          if let note { writer.packets.add(note, to: header.number) }
        }
        try dissector.receive(header, frame, to: &sink)
      }
    }
    for interface in try input.interfaces { try writer.packets.add(interface) }
    try dissector.finish(to: &sink)
    // Drops are counted over the whole recording, so those of a window are unknown.
    if recording.window == nil { writer.packets.report(dropped: try input.dropped) }
    reportNotes(on: input)
    if let filter = sink.filter { report(filter, of: recording, dropped: try input.dropped) }
    try writer.finish(
      ended: try input.ended(at: maker.now()), sessions: sink.shown(dissector.sessions),
      damage: damage?.description ?? info.damage,
      clock: input.countsFromFirstPacket ? "\(info.clock), from its first packet" : nil, origin: sink.filter?.start)
    return Imported(summary: sink.summary, damage: damage, filter: sink.filter)
  }

  /// Logs which part of a recording is shown.
  private func report(_ filter: WindowFilter, of recording: Recording, dropped: DropCounts) {
    let name = if case .path(let path) = recording.place { path } else { "memory" }
    tell("\(name): \(filter.note)")
    guard dropped.total > 0 else { return }
    tell(
      "\(name): \(Numbers.counted(dropped.total, "packet")) of the whole recording \(dropped.total == 1 ? "was" : "were") "
        + "dropped; how many of this range is unknown")
  }
}

extension RecordingFiles {
  /// Logs the notes on a file that has been read.
  func reportNotes(on input: borrowing RecordingInput) { input.notes.forEach(tell) }
}

extension RecordingInput {
  /// Notes for the user about parts of the recording that were changed or ignored so far, such as times; as sentences.
  public var notes: [String] {
    switch self {
    case .file(let reader): reader.notes.map { "\(reader.path == "-" ? "standard input" : reader.path): \($0)" }
    case .capture: []
    case .packets: []
    }
  }

  /// Whether its times are relative to its first packet, because the absolute time is outside the range of timestamps.
  fileprivate var countsFromFirstPacket: Bool {
    switch self {
    case .file(let reader): reader.countsFromFirstPacket
    case .capture: false
    case .packets: false
    }
  }

  /// The interfaces so far.
  fileprivate var interfaces: [Interface] {
    get throws {
      switch self {
      case .capture(let reader): try reader.interfaces()
      case .file(let reader): reader.interfaces
      case .packets(let list): [list.interface]
      }
    }
  }

  /// The drop counts in the recording itself.
  fileprivate var dropped: DropCounts {
    get throws {
      switch self {
      case .capture(let reader): try reader.info().dropped
      case .packets: DropCounts()
      case .file(let reader):
        reader.statistics.reduce(into: DropCounts()) { counts, statistics in
          counts.kernel = counts.kernel.saturatingAdding(Int(clamping: statistics.droppedByKernel ?? 0))
          counts.interface = counts.interface.saturatingAdding(Int(clamping: statistics.droppedByInterface ?? 0))
        }
      }
    }
  }

  /// The end of the recording: a capture contains it, unless its recorder was killed; the end of an import is `now`.
  fileprivate func ended(at now: Timestamp) throws -> Timestamp? {
    switch self {
    case .capture(let reader): try reader.info().ended
    case .packets: now
    case .file: now
    }
  }
}

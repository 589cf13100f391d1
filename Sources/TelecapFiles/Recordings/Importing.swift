import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapWire

/// What an import came to.
public struct Imported: Sendable {
  /// What the dissector found.
  public let summary: DissectionSummary
  /// What broke the input; it stands in the capture too.
  public let damage: Damage?
}

extension RecordingFiles {
  /// Turns a file of another program, or packets in memory, into a capture in one pass; reads as far as the input goes.
  ///
  /// - Parameters:
  ///   - name: what the capture says of where it is from; a file's own path unless given.
  ///   - ports: what tells the protocols apart, whatever the file says.
  /// - Throws: `CaptureFileError` or `StoreError`; nothing is left behind then.
  @discardableResult
  public func importing(
    _ place: RecordingPlace, named name: String? = nil, into output: String, force: Bool, ports: Ports
  ) throws -> Imported {
    let recording = Recording(place: place, files: self, ports: ports, schema: schema, isAsMade: false)
    return try importing(recording, named: name, into: output, force: force)
  }

  /// The same of a recording that is no capture, by the ports that it is read by.
  ///
  /// - Throws: as above; `PortProblem`
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
    return try importing(input, info, into: output, force: force, schema, ports)
  }

  /// Makes a capture of any recording, by the protocols and ports that it is read by; that of a capture says of where it is
  /// from what the capture does.
  func importing(_ recording: Recording, into output: String) throws -> Imported {
    let (schema, ports) = (recording.schema, recording.ports)
    guard case .path(let path) = recording.place, try recording.isCapture(path) else {
      return try importing(recording, into: output, force: true)
    }
    let reader = try CaptureReader(path: path, schema)
    var info = try reader.info()
    info.ports = ports.numbers
    return try importing(.capture(reader), info, into: output, force: true, schema, ports)
  }

  private func importing(
    _ input: consuming RecordingInput, _ info: CaptureInfo, into output: String, force: Bool, _ schema: CaptureSchema,
    _ ports: Ports
  ) throws -> Imported {
    let writer = try ImportWriter(creating: output, info, schema, force: force)
    var sink = StoreSink(writer.dissection, schema.protocols)
    var dissector = Dissector(ports: ports)
    var input = input
    let damage = try Damage.ending {
      try input.forEachNoted { header, frame, note in
        try writer.packets.add(header, frame)
        if let note { writer.packets.add(note, to: header.number) }
        try dissector.receive(header, frame, to: &sink)
      }
    }
    for interface in try input.interfaces { try writer.packets.add(interface) }
    try dissector.finish(to: &sink)
    writer.packets.report(dropped: try input.dropped)
    reportNotes(on: input)
    try writer.finish(
      ended: try input.ended(at: maker.now()), sessions: dissector.sessions, damage: damage?.description ?? info.damage,
      clock: input.countsFromFirstPacket ? "\(info.clock), from its first packet" : nil)
    return Imported(summary: sink.summary, damage: damage)
  }
}

extension RecordingFiles {
  /// Reports the notes on a file that has been read.
  func reportNotes(on input: borrowing RecordingInput) { input.notes.forEach(tell) }
}

extension RecordingInput {
  /// Notes for the user about differences between the recording and what was read of it so far, such as times; as sentences.
  public var notes: [String] {
    switch self {
    case .file(let reader): reader.notes.map { "\(reader.path == "-" ? "standard input" : reader.path): \($0)" }
    case .capture: []
    case .packets: []
    }
  }

  /// Whether its times count from its first packet, because no timestamp holds when that was.
  fileprivate var countsFromFirstPacket: Bool {
    switch self {
    case .file(let reader): reader.countsFromFirstPacket
    case .capture: false
    case .packets: false
    }
  }

  /// The interfaces that were met so far.
  fileprivate var interfaces: [Interface] {
    get throws {
      switch self {
      case .capture(let reader): try reader.interfaces()
      case .file(let reader): reader.interfaces
      case .packets(let list): [list.interface]
      }
    }
  }

  /// What the recording itself says was dropped.
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

  /// When it ended: a capture says so itself, unless it was killed; whatever is imported ends with its import, `now`.
  fileprivate func ended(at now: Timestamp) throws -> Timestamp? {
    switch self {
    case .capture(let reader): try reader.info().ended
    case .packets: now
    case .file: now
    }
  }
}

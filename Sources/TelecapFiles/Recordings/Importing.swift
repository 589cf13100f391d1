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
  /// Turns a pcap or pcapng file, or packets in memory, into a capture in one pass; reads as far as the input goes.
  ///
  /// - Parameters:
  ///   - name: what the capture says of where it is from; a file's own path unless given.
  ///   - ports: what tells the protocols apart.
  /// - Throws: `CaptureFileError` or `StoreError`; nothing is left behind then.
  @discardableResult
  public func importing(
    _ place: RecordingPlace, named name: String? = nil, into output: String, force: Bool, ports: Ports
  ) throws -> Imported {
    switch place {
    case .packets(let list): try importing(.packets(list), name ?? "memory", output, force, ports)
    case .path(let path):
      try importing(.file(try CaptureFileReader(path: path)), name ?? path, output, force, ports)
    }
  }

  private func importing(
    _ input: consuming RecordingInput, _ name: String, _ output: String, _ force: Bool, _ ports: Ports
  ) throws -> Imported {
    let info = maker.info(source: name, clock: "the file's own", ports: ports)
    let writer = try ImportWriter(creating: output, info, schema, force: force)
    var sink = StoreSink(writer.dissection, protocols)
    var dissector = Dissector(ports: ports)
    var input = input
    let damage = try Damage.ending {
      try input.forEach { header, frame in
        sink.summary.count(header)
        try writer.packets.add(header, frame)
        try dissector.receive(header, frame, to: &sink)
      }
    }
    for interface in input.interfaces { try writer.packets.add(interface) }
    try dissector.finish(to: &sink)
    writer.packets.report(dropped: input.dropped)
    try writer.finish(ended: maker.now(), sessions: dissector.sessions, damage: damage?.description)
    return Imported(summary: sink.summary, damage: damage)
  }

  /// Calls `body` with a capture of any recording: the one at this path, its messages derived, or one that is imported into
  /// a temporary file meanwhile.
  ///
  /// - Returns: what `body` returned, and what broke the input.
  /// - Throws: as `importing` and `derive` do; what `body` throws.
  public func withCapture<Result>(
    of place: RecordingPlace, ports: Ports, _ body: (CaptureReader) throws -> Result
  ) throws -> (Result, Damage?) {
    if case .path(let path) = place, try isCapture(path) {
      try deriveIfNeeded(path)
      return (try body(try reader(path)), nil)
    }
    return try TemporaryFile.with(suffix: ".telecap") { temporary in
      let damage = try importing(place, into: temporary, force: true, ports: ports).damage
      return (try body(try CaptureReader(path: temporary, schema)), damage)
    }
  }
}

extension RecordingInput {
  /// The interfaces that were met so far. A capture's own are asked of its reader.
  fileprivate var interfaces: [Interface] {
    switch self {
    case .capture: []
    case .file(let reader): reader.interfaces
    case .packets(let list): [list.interface]
    }
  }

  /// What the file itself says was dropped.
  fileprivate var dropped: DropCounts {
    switch self {
    case .capture: DropCounts()
    case .packets: DropCounts()
    case .file(let reader):
      reader.statistics.reduce(into: DropCounts()) { counts, statistics in
        counts.kernel += Int(clamping: statistics.droppedByKernel ?? 0)
        counts.interface += Int(clamping: statistics.droppedByInterface ?? 0)
      }
    }
  }
}

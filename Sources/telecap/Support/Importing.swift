import TelecapCapture
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapTransport
import TelecapWire

/// From a pcap or pcapng file to a capture, in one pass.
enum Importing {
  /// Reads as far as the input goes; what broke it is returned, and stands in the capture too.
  static func run(
    _ input: String, into output: String, force: Bool, ports: Ports
  ) throws -> (summary: DissectionSummary, damage: Failure?) {
    var reader = try CaptureFileReader(path: input)
    var info = CaptureInfo(
      version: Telecap.versionText, host: Host.name, clock: "the file's own", source: input,
      commandLine: CommandLine.arguments.joined(separator: " "), started: WallClock.now())
    info.ports = ports.numbers
    let writer = try ImportWriter(creating: output, info, Loaded.schema, force: force)
    var sink = StoreSink(writer.dissection, Loaded.protocols)
    var dissector = Dissector(ports: ports)
    let damage = try readingAsFarAsItGoes {
      try reader.forEach { header, frame in
        sink.summary.count(header)
        try writer.packets.add(header, frame)
        try dissector.receive(header, frame, to: &sink)
      }
    }
    for interface in reader.interfaces { try writer.packets.add(interface) }
    try dissector.finish(to: &sink)
    writer.packets.report(dropped: drops(reader))
    try writer.finish(ended: WallClock.now(), sessions: dissector.sessions, damage: damage?.what)
    return (sink.summary, damage)
  }

  /// What the file itself says was dropped.
  private static func drops(_ reader: borrowing CaptureFileReader) -> DropCounts {
    reader.statistics.reduce(into: DropCounts()) { counts, statistics in
      counts.kernel += Int(clamping: statistics.droppedByKernel ?? 0)
      counts.interface += Int(clamping: statistics.droppedByInterface ?? 0)
    }
  }
}

import ArgumentParser
import TelecapCapture
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapTransport

/// `telecap import`: a pcap or pcapng file becomes a capture.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Turn a pcap or pcapng file into a capture that SQL can ask.",
    discussion: """
      Example: telecap import session.pcapng -o session.telecap

      A damaged file is read as far as it goes; the capture holds what could be read, and the exit status is 65.
      """)

  @Argument(help: "A pcap or pcapng file; - is standard input.")
  var input: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The capture to write.", valueName: "file"))
  var output: String

  @Flag(name: .long, help: "Replace the output if it exists.")
  var force = false

  @OptionGroup var ports: PortOptions

  func run() throws {
    var reader = try CaptureFileReader(path: input)
    let info = CaptureInfo(
      version: Telecap.versionText, host: Host.name, clock: "the file's own", source: input,
      commandLine: CommandLine.arguments.joined(separator: " "), started: WallClock.now)
    let writer = try ImportWriter(creating: output, info, force: force)
    var sink = StoreSink(writer.dissection)
    var dissector = Dissector(ports: ports.ports)
    var interfaces = 0
    let damage = try readingAsFarAsItGoes {
      while try reader.next({ header, frame in
        sink.summary.count(header)
        try writer.packets.add(header, frame)
        try dissector.receive(header, frame, to: &sink)
      }) {
        if interfaces < reader.interfaces.count { try addInterfaces(of: reader, to: writer, &interfaces) }
      }
    }
    try addInterfaces(of: reader, to: writer, &interfaces)
    try dissector.finish(to: &sink)
    writer.packets.report(dropped: drops(reader))
    try writer.finish(ended: WallClock.now, sessions: dissector.sessions, damage: damage?.what)
    Console.say("\(output): \(Numbers.grouped(sink.summary.packets)) packets")
    if let damage { throw damage }
  }

  private func addInterfaces(
    of reader: borrowing CaptureFileReader, to writer: ImportWriter, _ known: inout Int
  ) throws {
    while known < reader.interfaces.count {
      try writer.packets.add(reader.interfaces[known])
      known += 1
    }
  }

  /// What the file itself says was dropped.
  private func drops(_ reader: borrowing CaptureFileReader) -> DropCounts {
    reader.statistics.reduce(into: DropCounts()) { counts, statistics in
      counts.kernel += Int(clamping: statistics.droppedByKernel ?? 0)
      counts.interface += Int(clamping: statistics.droppedByInterface ?? 0)
    }
  }
}

import TelecapFiles
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapWire
import TelecapText

/// Prints a dissection as it goes: every message, or only the counts at the end.
struct DissectionPrinter: DissectionSink, ~Copyable {
  /// What was counted so far.
  private(set) var summary: DissectionSummary
  /// Only packets that are chosen are counted and printed.
  var selection: PacketSelection?

  private let format: OutputFormat
  private let isSummary: Bool
  private var tree: DissectionTree
  private var json = JSONWriter()
  private var output = Output()

  /// A printer of a dissection in which messages of these protocols may be met.
  init(format: OutputFormat, isSummary: Bool, _ protocols: [WireProtocol]) {
    summary = DissectionSummary(protocols)
    self.format = format
    self.isSummary = isSummary
    tree = DissectionTree(style: Console.style(for: 1))
  }

  mutating func count(_ header: PacketHeader) {
    if tree.start == nil { tree.start = header.time }
    if chooses(header.number) { summary.count(header) }
  }

  mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
    guard chooses(message.datagram.packet) else { return }
    summary.count(message, findings)
    if isSummary { return }
    switch format {
    case .text:
      tree.write(message, bytes, findings, to: &output.buffer)
      try output.flushIfLarge()
    case .json:
      DissectionJSON().write(message, bytes, findings, to: &json)
      try output.take(&json)
    }
  }

  mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) throws {
    try write(finding, packet: header.number, time: header.time)
  }

  mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) throws {
    try write(finding, packet: datagram.packet, time: datagram.time)
  }

  /// Prints the counts, where they were asked for, and all that waits.
  mutating func finish() throws {
    if isSummary {
      switch format {
      case .text:
        for line in summary.text(style: Console.style(for: 1)) { try output.line(line) }
      case .json:
        summary.write(to: &json)
        try output.take(&json)
      }
    }
    try output.flush()
  }

  private func chooses(_ packet: Int) -> Bool { selection?.contains(packet) ?? true }

  private mutating func write(_ finding: Finding, packet: Int, time: Timestamp) throws {
    guard chooses(packet) else { return }
    summary.count(finding)
    if isSummary { return }
    switch format {
    case .text:
      tree.write(finding, packet: packet, time: time, to: &output.buffer)
      try output.flushIfLarge()
    case .json:
      DissectionJSON().write(finding, packet: packet, time: time, to: &json)
      try output.take(&json)
    }
  }
}

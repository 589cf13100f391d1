import TelecapRecording
import TelecapText
import TelecapWire

/// A dissection as it goes: every message, or only the counts at the end; as text or JSON Lines.
public struct DissectionReport: DissectionSink, ~Copyable {
  /// The counts so far.
  public private(set) var summary: DissectionSummary
  /// Only packets that it selects are counted and written; nil for all.
  public var selection: ((Int) -> Bool)?
  /// Only packets of its window are counted and written; nil for all. It reads all packets.
  public var filter: WindowFilter?

  /// A message was met, whether it is chosen or not.
  private var isUnderstood = false
  private let isJSON: Bool
  private let isSummary: Bool
  private let style: Style
  private let write: ([UInt8]) throws -> Void
  private var tree: DissectionTree
  private var json = JSONWriter()
  private var text: [UInt8] = []
  private static let size = 65_536

  /// A report on a dissection in which messages of these protocols may be met.
  ///
  /// - Parameters:
  ///   - isSummary: only the counts are written.
  ///   - write: takes the text, in large pieces.
  public init(
    isJSON: Bool, isSummary: Bool, style: Style, _ protocols: [WireProtocol],
    write: @escaping ([UInt8]) throws -> Void
  ) {
    summary = DissectionSummary(protocols)
    (self.isJSON, self.isSummary, self.style, self.write) = (isJSON, isSummary, style, write)
    tree = DissectionTree(style: style)
  }

  /// Counts a packet; times are shown from the first packet of the recording.
  public mutating func packet(_ header: PacketHeader) {
    if tree.start == nil { tree.start = header.time }
    filter?.receive(header)
    if chooses(header.number) { summary.count(header) }
  }

  public mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
    isUnderstood = true
    guard chooses(message.datagram.packet) else { return }
    summary.count(message, findings)
    if isSummary { return }
    if isJSON {
      DissectionJSON().write(message, bytes, findings, to: &json)
    } else {
      tree.write(message, bytes, findings, to: &text)
    }
    try handOver(atLeast: DissectionReport.size)
  }

  public mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) throws {
    try take(finding, packet: header.number, time: header.time)
  }

  public mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) throws {
    try take(finding, packet: datagram.packet, time: datagram.time)
  }

  /// Takes what was not read, unless only some of the packets were chosen.
  public mutating func unread(_ traffic: UnreadTraffic) {
    if selection == nil && filter == nil || !isUnderstood { summary.unread = traffic }
  }

  /// Writes the counts, if they were requested, and hands over all buffered text.
  public mutating func finish() throws {
    if isSummary {
      if isJSON {
        summary.write(to: &json)
      } else {
        for line in summary.text(style: style) { text += Array("\(line)\n".utf8) }
      }
    }
    try handOver(atLeast: 1)
  }

  private func chooses(_ packet: Int) -> Bool {
    filter?.contains(packet) ?? true && selection?(packet) ?? true
  }

  private mutating func take(_ finding: Finding, packet: Int, time: Timestamp) throws {
    guard chooses(packet) else { return }
    summary.count(finding)
    if isSummary { return }
    if isJSON {
      DissectionJSON().write(finding, packet: packet, time: time, to: &json)
    } else {
      tree.write(finding, packet: packet, time: time, to: &text)
    }
    try handOver(atLeast: DissectionReport.size)
  }

  /// Only one of the two is ever written to.
  private mutating func handOver(atLeast size: Int) throws {
    if text.count >= size {
      try write(text)
      text.removeAll(keepingCapacity: true)
    }
    if json.bytes.count >= size {
      try write(json.bytes)
      json.removeAll()
    }
  }
}

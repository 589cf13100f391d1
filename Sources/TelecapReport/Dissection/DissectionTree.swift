import TelecapRecording
import TelecapWire
import TelecapText

/// A dissection as text: each message with every field, its bytes and what was found, as a person reads it.
public struct DissectionTree: Sendable {
  private let style: Style
  /// The time of the first packet: times are shown from there.
  public var start: Timestamp?

  /// A formatter in this style.
  public init(style: Style) { self.style = style }

  /// Appends a message.
  public func write(
    _ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding], to text: inout [UInt8]
  ) {
    if message.datagram.packet > 0 { append(place(message), to: &text) }
    append(title(message, bytes.byteCount), to: &text)
    for line in fields(message.kind, bytes) { append(line, to: &text) }
    for finding in findings { append("  " + line(finding), to: &text) }
    append("", to: &text)
  }

  /// Appends something that was found about a packet.
  public func write(_ finding: Finding, packet: Int, time: Timestamp, to text: inout [UInt8]) {
    append("packet \(packet)  \(clock(time))", to: &text)
    append("  " + line(finding), to: &text)
    append("", to: &text)
  }

  private func place(_ message: DissectedMessage) -> String {
    let datagram = message.datagram
    let session = message.session > 0 ? "  session \(message.session)" : ""
    return "packet \(datagram.packet)  \(clock(datagram.time))  \(datagram.flow)\(session)"
  }

  private func clock(_ time: Timestamp) -> String {
    "\(Numbers.fixed(Double(time.nanoseconds(since: start ?? time)) / 1e9, 6)) s"
  }

  private func title(_ message: DissectedMessage, _ count: Int) -> String {
    let layout = message.kind.layout
    let name = "\(message.dialect.protocolName.uppercased()) \(layout.name)"
    return "\(style.bold(name)), \(count) bytes, \(message.dialect.name): \(layout.meaning.printable)"
  }

  private func fields(_ kind: MessageKind, _ bytes: RawSpan) -> [String] {
    var table = TextTable(rightAligned: [0])
    for row in FieldLine.all(of: kind, bytes) {
      let raw = bytes.array(row.range)
      let shown = row.bits ?? Hex.text(raw.prefix(16), separator: " ") + (raw.count > 16 ? " …" : "")
      table.add("\(row.range.lowerBound)", row.name, row.value, style.dim(shown))
    }
    return table.lines()
  }

  private func line(_ finding: Finding) -> String {
    let range = finding.range
    let place =
      range.isEmpty
      ? "" : range.count == 1 ? " at byte \(range.lowerBound)" : " at bytes \(range.lowerBound)–\(range.upperBound - 1)"
    let name = style.severity(finding.severity, "\(finding.severity.name) \(finding.rule.id)")
    return "\(name)\(place): \("\(finding)".printable) \(style.dim("[\(finding.source)]".printable))"
  }

  private func append(_ line: String, to text: inout [UInt8]) {
    text.append(contentsOf: line.utf8)
    text.append(UInt8(ascii: "\n"))
  }
}

import TelecapRecording
import TelecapText
import TelecapWire

/// What a recording came to.
public struct RecordSummary: Hashable, Sendable {
  /// How many packets.
  public var packets: Int
  /// Bytes of their frames, as long as they were on the wire.
  public var bytes: Int
  /// How long it took, in ns.
  public var nanoseconds: Int64
  /// What was lost on the way into the file.
  public var dropped: DropCounts

  /// A recording of so much.
  public init(packets: Int, bytes: Int, nanoseconds: Int64, dropped: DropCounts) {
    (self.packets, self.bytes, self.nanoseconds, self.dropped) = (packets, bytes, nanoseconds, dropped)
  }

  /// Its lines, with what was found in it.
  public func text(of path: String, _ findings: DissectionSummary, style: Style) -> [String] {
    let sum =
      "\(path): \(Numbers.grouped(packets)) packets, \(Numbers.grouped(bytes)) bytes in "
      + "\(Numbers.fixed(Double(nanoseconds) / 1e9, 1)) s; dropped: kernel \(dropped.kernel), "
      + "interface \(dropped.interface), queue \(dropped.queue)"
    return [sum] + findings.text(style: style).dropFirst()
  }

  /// The same as a line of JSON.
  public func write(of path: String, to json: inout JSONWriter) {
    json.beginObject()
    json.put("file", path)
    json.put("packets", packets)
    json.put("bytes", bytes)
    json.put("duration_ns", nanoseconds)
    json.beginObject("dropped")
    json.put("kernel", dropped.kernel)
    json.put("interface", dropped.interface)
    json.put("queue", dropped.queue)
    json.endObject()
    json.endObject()
    json.endLine()
  }
}

import TelecapRecording
import TelecapText
import TelecapWire

/// The result of a recording.
public struct RecordSummary: Hashable, Sendable {
  /// How many packets.
  public var packets: Int
  /// Bytes of their frames, as long as they were on the wire.
  public var bytes: Int
  /// How long it took, in ns.
  public var nanoseconds: Nanoseconds
  /// The packets that were lost on the way into the file.
  public var dropped: DropCounts
  /// The counts of the clients of each relay; empty if none recorded.
  public var relays: [RelayTally]

  /// A recording of so much.
  public init(packets: Int, bytes: Int, nanoseconds: Int64, dropped: DropCounts, relays: [RelayTally] = []) {
    (self.packets, self.bytes, self.nanoseconds, self.dropped) = (packets, bytes, nanoseconds, dropped)
    self.relays = relays
  }

  /// Its lines, with what was found in it.
  public func text(of path: String, _ findings: DissectionSummary, style: Style) -> [String] {
    let sum =
      "\(path.printable): \(Numbers.counted(packets, "packet")), \(Numbers.counted(bytes, "byte")) in "
      + "\(Numbers.fixed(Double(nanoseconds) / 1e9, 1)) s; dropped: kernel \(dropped.kernel), "
      + "interface \(dropped.interface), queue \(dropped.queue)"
    let losses = relays.compactMap { relay in relay.losses.map { "relay \(relay.route.printable): \(style.bad($0))" } }
    return [sum] + losses + findings.text(style: style).dropFirst()
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
    RelayTally.write(relays, to: &json)
    json.endObject()
    json.endLine()
  }
}

extension RelayTally {
  /// The member `relays` of an object of JSON, where there are some.
  static func write(_ relays: [RelayTally], to json: inout JSONWriter) {
    guard !relays.isEmpty else { return }
    json.beginArray("relays")
    for relay in relays {
      json.beginObject()
      json.put("route", relay.route)
      json.put("clients", relay.clients)
      json.put("refused", relay.refused)
      json.put("forgotten", relay.forgotten)
      json.put("not_passed_on", relay.notPassedOn)
      if let dropped = relay.droppedByKernel { json.put("dropped_kernel", dropped) }
      json.endObject()
    }
    json.endArray()
  }
}

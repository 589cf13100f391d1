import TelecapImpairment
import TelecapRecording
import TelecapReport
import TelecapText
import TelecapTransport

/// The counts of relays, for the report at their end.
public struct RelayAccount: PrintedResult {
  private let routes: [(route: Relay.Route, counts: RelayCounts)]

  /// The counts of these routes.
  public init(_ routes: [Relay.Route], _ counts: [RelayCounts]) { self.routes = Array(zip(routes, counts)) }

  /// The text for a person.
  public var lines: [String] {
    routes.flatMap { route, counts in
      var lines = [
        "relay     \(route.spec.carrier.name) \(route.listen) to \(route.target): "
          + "\(Numbers.grouped(counts.clients)) \(counts.clients == 1 ? "client" : "clients"), "
          + "\(Numbers.grouped(counts.payloads)) \(route.spec.carrier == .udp ? "datagrams" : "pieces") passed on"
      ]
      if counts.refused + counts.forgotten > 0 {
        lines.append(
          "          \(Numbers.grouped(counts.refused)) refused, \(Numbers.grouped(counts.forgotten)) forgotten")
      }
      if route.spec.carrier == .udp, counts.dropped + counts.droppedByKernel > 0 {
        lines.append(
          "          \(Numbers.grouped(counts.dropped)) could not be passed on, "
            + "\(Numbers.grouped(counts.droppedByKernel)) dropped by the kernel")
      }
      if counts.cutBytes > 0 {
        lines.append(
          "          \(Numbers.grouped(counts.cutBytes)) bytes that were read did not arrive: "
            + "their connections ended before")
      }
      lines += (counts.faults?.lines ?? []).map { "          \($0)" }
      if let network = counts.network {
        lines += network.up.lines.map { "up        \($0)" } + network.down.lines.map { "down      \($0)" }
      }
      return lines
    }
  }

  /// Notes on a network before these relays use it, a line each.
  public static func notes(on asked: Impairments, _ relays: [RelaySpec]) -> [String] {
    let idle = asked.idleOverStreams
    guard relays.contains(where: { $0.carrier == .tcp }), !idle.asked.isEmpty else { return [] }
    return ["over TCP every byte arrives, as it was and in its order: \(idle) does nothing there"]
  }

  /// A line of JSON.
  public func write(to json: inout JSONWriter) {
    json.beginObject()
    json.beginArray("relays")
    for (route, counts) in routes {
      json.beginObject()
      json.put("carrier", route.spec.carrier.name)
      json.put("listen", "\(route.listen)")
      json.put("target", "\(route.target)")
      json.put("clients", counts.clients)
      json.put("payloads", counts.payloads)
      json.put("bytes", counts.bytes)
      json.put("refused", counts.refused)
      json.put("forgotten", counts.forgotten)
      json.put("not_passed_on", counts.dropped)
      json.put("dropped_kernel", counts.droppedByKernel)
      if route.spec.carrier == .tcp { json.put("cut_bytes", counts.cutBytes) }
      if let faults = counts.faults {
        json.put("resets", faults.resets)
        json.put("half_open", faults.halfOpened)
        json.put("swallowed_bytes", faults.swallowedBytes)
      }
      if let network = counts.network {
        json.put("up", texts: network.up.lines)
        json.put("down", texts: network.down.lines)
      }
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endLine()
  }
}

extension Relay.Route {
  /// The message that it runs, with its addresses.
  var told: String { "relaying \(spec.carrier.name) \(listen) to \(target)" }
}

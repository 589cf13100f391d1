import TelecapCapture
import TelecapRecording
import TelecapText
import TelecapWire

/// The note about a recording without packets: what it looked for, and where such packets are.
struct QuietNote {
  /// The recorded interface.
  let interface: String
  /// Its filter.
  let filter: CaptureFilter
  /// The other interfaces.
  let others: [ProbedInterface]
  /// The command that records another interface.
  let command: (String) -> String

  /// Its lines, separated by line feeds.
  var text: String { "no packet on \(interface) in 3 s: looked for \(wanted)\n  \(advice)" }

  private var wanted: String {
    switch filter {
    case .everything: "any packet"
    case .text(let text): "“\(text)”"
    case .ports(let ports, _):
      [Carrier.udp, .tcp].compactMap { carrier -> String? in
        let numbers = Set(ports.entries.filter { $0.row.carrier == carrier }.map(\.number)).sorted()
        if numbers.isEmpty { return nil }
        return "\(carrier.name.uppercased()) \(numbers.count == 1 ? "port" : "ports") \(numbers.list)"
      }.list(or: false)
    }
  }

  private var advice: String {
    let busy = others.filter { $0.packets > 0 }.sorted { ($1.packets, $0.name) < ($0.packets, $1.name) }
    if let first = busy.first {
      let counts = busy.map { "\($0.name) (\(Numbers.grouped($0.packets)) in 1 s)" }
      return "such packets are on \(counts.list(or: false)): \(command(first.name))"
    }
    let names = others.map(\.name)
    let elsewhere = names.isEmpty ? "" : "none on \(names.list(or: false)) either; "
    return elsewhere
      + "check that the sender runs, and its ports (--port); a relay needs no capture rights and no interface: "
      + "telecap record -o FILE --relay udp:PORT=HOST:PORT"
  }
}

extension [UInt16] {
  /// `8888, 50000 and 50001`.
  fileprivate var list: String { map { "\($0)" }.list(or: false) }
}

import TelecapRecording
import TelecapText
import TelecapWire

/// The packets in which no message was understood, and what to do so that it is, as a template takes them.
struct UnreadView {
  struct Port {
    let name: String
    let packets: String
  }

  /// A port that can be assigned to a protocol.
  struct Name {
    let id: String
    let help: String
  }

  /// The busiest.
  let ports: [Port]
  /// That there are more; nil where there are not.
  let more: String?
  /// The traffic without a port, in sentences.
  let others: [String]
  /// The ports of the protocols that are known.
  let names: [Name]
  /// Commands that show it with another port, a line each; nil where no port would help.
  let command: String?

  private static let most = 12

  /// - Parameter name: what the recording is called.
  init?(_ summary: CaptureSummary, name: String) {
    let unread = summary.unread
    if unread.packets == 0 { return nil }
    // A conversation has two ports: one more than the shown ones shows whether there are others.
    let busiest = unread.busiest(UnreadView.most + 1)
    ports = busiest.prefix(UnreadView.most).map {
      Port(name: "\($0.carrier.name) \($0.number)", packets: Numbers.grouped($0.packets))
    }
    more = busiest.count > UnreadView.most ? "Others had fewer." : nil
    let rows = summary.protocols.flatMap(\.ports)
    names = rows.map { Name(id: $0.id.printable, help: "\($0.help.printable) Else it is \($0.standard).") }
    others = UnreadView.others(unread)
    let fitting = busiest.compactMap { port in
      rows.first { $0.carrier == port.carrier && $0.end == .host }.map { (row: $0, port: port) }
    }
    // Of a conversation either end may be the host.
    let likely = fitting.filter { $0.port.packets == fitting[0].port.packets }.prefix(2)
    let commands = likely.map {
      "telecap view \(Escaping.shellPath(name)) --port \(Escaping.shell("\($0.row.id)=\($0.port.number)"))".printable
    }
    command = commands.isEmpty ? nil : commands.joined(separator: "\n")
  }

  private static func others(_ unread: UnreadTraffic) -> [String] {
    func packets(_ count: Int) -> String { "\(Numbers.grouped(count)) \(count == 1 ? "packet" : "packets")" }
    let plain = unread.ofOtherProtocols
    return (plain > 0 ? ["\(packets(plain)) are neither UDP nor TCP over IP."] : [])
      + unread.linkTypes.sorted { $0.key < $1.key }.map { type, count in
        "\(packets(count)) cannot be read: link type \(type) is not known."
      } + unread.encapsulationNotes.map { "\($0)." }
  }
}

import TelecapImpairment
import TelecapRecording

/// One impairment of one packet: a difference between a plan and a perfect network.
public enum NetworkFault: Hashable, Sendable {
  /// It was lost.
  case dropped(packet: Int)
  /// Its first copy arrived this time after it was sent, in ns.
  case late(packet: Int, by: Nanoseconds)
  /// Another copy arrived this time after it was sent, in ns.
  case repeated(packet: Int, by: Nanoseconds)
  /// This bit of its payload was flipped, in every copy.
  case flipped(packet: Int, bit: UInt32)
  /// A field of its message was changed, in every copy.
  case changed(packet: Int, field: String, FieldChange)

  /// The packet's number.
  public var packet: Int {
    switch self {
    case .dropped(let packet), .late(let packet, _), .repeated(let packet, _), .flipped(let packet, _),
      .changed(let packet, _, _):
      packet
    }
  }

  /// The impairments of a plan, in the order of its lines. `sentAt` has the time at which each packet would be sent
  /// over a perfect network, in ns; other packets are skipped. `names` are those of the changed fields.
  public static func faults(
    of plan: [PlanLine], sentAt: [Int: Nanoseconds], _ names: FieldNames = .none
  ) -> [NetworkFault] {
    plan.flatMap { line -> [NetworkFault] in
      guard let sent = sentAt[line.packet] else { return [] }
      guard line.verdict == .deliver, let first = line.due.first else { return [.dropped(packet: line.packet)] }
      let late: [NetworkFault] = first == sent ? [] : [.late(packet: line.packet, by: first - sent)]
      return late + line.due.dropFirst().map { .repeated(packet: line.packet, by: $0 - sent) }
        + line.changes.map { .changed(packet: line.packet, field: names.name(of: $0.field) ?? "", $0) }
        + line.flips.map { .flipped(packet: line.packet, bit: $0) }
    }
  }

  /// The plan of a network with only these impairments of the sent packets, by number and time.
  public static func plan(_ faults: [NetworkFault], packets: [(number: Int, sentAt: Nanoseconds)]) -> [PlanLine] {
    let byPacket = Dictionary(grouping: faults, by: \.packet)
    return packets.map { packet in
      (byPacket[packet.number] ?? []).reduce(.deliver(packet.number, due: InlineList(packet.sentAt))) { line, fault in
        fault.applied(to: line, sentAt: packet.sentAt)
      }
    }
  }

  private func applied(to line: PlanLine, sentAt: Nanoseconds) -> PlanLine {
    guard line.verdict == .deliver else { return line }
    var line = line
    switch self {
    case .dropped: return .drop(line.packet, by: nil)
    case .late(_, let time): line.due[0] = sentAt + time
    case .repeated(_, let time): line.due.append(sentAt + time)
    case .flipped(_, let bit): line.flips.append(bit)
    case .changed(_, _, let change): line.changes.put(change)
    }
    // The times in a plan ascend; a remaining copy may come before a late first one.
    var due = InlineList<Nanoseconds>()
    for time in line.due.sorted() { due.append(time) }
    line.due = due
    return line
  }
}

extension NetworkFault: CustomStringConvertible {
  /// `packet 212 dropped`, `packet 213 late by 40ms`.
  public var description: String { "packet \(words)" }

  private var words: String {
    switch self {
    case .dropped(let packet): "\(packet) dropped"
    case .late(let packet, let time): "\(packet) late by \(NetworkFault.time(time))"
    case .repeated(let packet, let time) where time <= 0: "\(packet) twice"
    case .repeated(let packet, let time): "\(packet) again after \(NetworkFault.time(time))"
    case .flipped(let packet, let bit): "\(packet) with bit \(bit) flipped"
    case .changed(let packet, let field, let change): "\(packet) with \(field) \(change.value)"
    }
  }

  private static func time(_ nanoseconds: Nanoseconds) -> Interval { Interval(nanoseconds: nanoseconds) }

  /// The maximum number of listed impairments.
  private static let mostTold = 12

  /// `packet 212 dropped, 213 late by 40ms`; `no fault at all` for none; the first dozen of many.
  public static func list(_ faults: [NetworkFault]) -> String {
    guard let first = faults.first else { return "no fault at all" }
    let told = [first.description] + faults.dropFirst().prefix(mostTold - 1).map(\.words)
    let rest = faults.count > mostTold ? " and \(faults.count - mostTold) more" : ""
    return told.joined(separator: ", ") + rest
  }
}

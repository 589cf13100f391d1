import TelecapImpairment
import TelecapRecording

/// One thing that a network did to one packet: what a plan differs by from a perfect network.
public enum NetworkFault: Hashable, Sendable {
  /// It never arrived.
  case dropped(packet: Int)
  /// Its first copy arrived so many ns after it was sent.
  case late(packet: Int, by: Nanoseconds)
  /// Another copy arrived so many ns after it was sent.
  case repeated(packet: Int, by: Nanoseconds)
  /// This bit of its payload was flipped, in every copy.
  case flipped(packet: Int, bit: UInt32)
  /// A field of its message became something else, in every copy.
  case changed(packet: Int, field: String, FieldChange)

  /// The packet's number.
  public var packet: Int {
    switch self {
    case .dropped(let packet), .late(let packet, _), .repeated(let packet, _), .flipped(let packet, _),
      .changed(let packet, _, _):
      packet
    }
  }

  /// The faults of a plan, in the order of its lines. `sentAt` says when each packet would be sent over a perfect
  /// network, in ns; packets that it does not know are left out. `names` are those of the fields that the lines change.
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

  /// The plan of a network that does these faults and no others to the packets that are sent, by number and time.
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
    // A plan's times ascend; a late first copy may have been overtaken by one that is left.
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

  /// As many as anybody reads.
  private static let mostTold = 12

  /// `packet 212 dropped, 213 late by 40ms`; `no fault at all` for none; the first dozen of many.
  public static func list(_ faults: [NetworkFault]) -> String {
    guard let first = faults.first else { return "no fault at all" }
    let told = [first.description] + faults.dropFirst().prefix(mostTold - 1).map(\.words)
    let rest = faults.count > mostTold ? " and \(faults.count - mostTold) more" : ""
    return told.joined(separator: ", ") + rest
  }
}

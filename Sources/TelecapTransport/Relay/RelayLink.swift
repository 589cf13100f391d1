import NIOCore
import TelecapImpairment
import TelecapLoop
import TelecapRecording
import TelecapWire

/// A datagram that came to a relay.
struct RelayedDatagram {
  let data: ByteBuffer
  let client: UDPClients.Client
  /// Its number among those of its way, from 1.
  let number: Int
  /// When it came, by the time of day.
  let cameAt: Timestamp
}

/// One way through the network that a relay plays: keeps datagrams until they are due. Lives on the relay's event loop.
struct RelayLink {
  /// A datagram on its way.
  private struct Held {
    let datagram: RelayedDatagram
    /// How many of its copies have neither left nor been dropped.
    var copies: Int
  }

  private var network: ChangingNetwork
  private let dialect: Dialect?
  private let mostBytes: Int
  /// What keeping a datagram takes beside its bytes, or so: empty ones are bounded too.
  private static let overhead = 512
  private var held: [Int: Held] = [:]
  private var heldBytes = 0
  /// What leaves at one time; used again and again.
  private var due: [LivePlanner.Departure] = []
  /// Datagrams that found no room to wait in.
  private(set) var overflown = 0

  /// Where it is kept what becomes of them; nil where nobody wants to know.
  private let kept: ExecutedPlan?

  init(
    _ played: ChangingNetwork.Played, _ dialect: Dialect?, _ limits: RelayLimits, keptBy kept: ExecutedPlan? = nil
  ) {
    (network, self.dialect, self.kept) = (ChangingNetwork(played), dialect, kept)
    mostBytes = limits.held
  }

  /// Becomes another network for what comes from now on. False where too many networks of before still have something on its way.
  mutating func play(_ next: ChangingNetwork.Played) -> Bool { network.play(next) }

  /// What it did so far.
  var account: NetworkAccount {
    network.account(of: .datagrams, waiting: held.count, isUnderstood: dialect != nil)
  }

  /// When something leaves next, ns; nil while nothing waits.
  var nextWake: Nanoseconds? { network.nextWake }

  /// Takes a datagram, at `now` ns; what leaves at once is handed on by `leave`.
  mutating func take(_ datagram: RelayedDatagram, at now: Nanoseconds) {
    let data = datagram.data
    kept?.took(datagram, at: now)
    guard heldBytes + data.readableBytes + RelayLink.overhead <= mostBytes else {
      overflown += 1
      return
    }
    let packet = PlannedPacket(
      number: datagram.number, time: now, flow: datagram.client.slot, length: data.readableBytes, isSelected: true)
    let changer = network.changer
    let (copies, changes) = network.take(
      packet,
      changing: { wish in
        guard let dialect else { return FieldChanges() }
        return data.withUnsafeReadableBytes { changer.changes(wish, of: $0.bytes, as: dialect) }
      }, settled: { kept?.settle($0) })
    guard copies > 0 else { return }
    let became = RelayedDatagram(
      data: changes.isEmpty ? data : changed(data, changes, by: changer), client: datagram.client,
      number: datagram.number,
      cameAt: datagram.cameAt)
    held[datagram.number] = Held(datagram: became, copies: copies)
    heldBytes += became.data.readableBytes + RelayLink.overhead
  }

  /// Hands on what is due by `now`, ns, in the order of the times.
  mutating func leave(by now: Nanoseconds, _ send: (RelayedDatagram) -> Void) {
    var leaving: [LivePlanner.Departure] = []
    swap(&leaving, &due)
    network.leave(by: now, settled: { kept?.settle($0) }) { leaving.append($0) }
    for departure in leaving {
      guard let one = held[departure.packet] else { continue }
      if one.copies == 1 {
        held[departure.packet] = nil
        heldBytes -= one.datagram.data.readableBytes + RelayLink.overhead
      } else {
        held[departure.packet]?.copies -= 1
      }
      if !departure.isDropped { send(RelayLink.flipped(one.datagram, departure.flips)) }
    }
    leaving.removeAll(keepingCapacity: true)
    swap(&leaving, &due)
  }

  private func changed(_ data: ByteBuffer, _ changes: FieldChanges, by changer: MessageChanger) -> ByteBuffer {
    var bytes = Array(data.readableBytesView)
    // Made for this very message, so that it can be carried out.
    if let dialect { try? changer.apply(changes, to: &bytes, as: dialect) }
    return ByteBuffer(bytes: bytes)
  }

  private static func flipped(_ datagram: RelayedDatagram, _ flips: InlineList<UInt32>) -> RelayedDatagram {
    guard !flips.isEmpty else { return datagram }
    var bytes = Array(datagram.data.readableBytesView)
    Network.flip(flips, in: &bytes)
    return RelayedDatagram(
      data: ByteBuffer(bytes: bytes), client: datagram.client, number: datagram.number, cameAt: datagram.cameAt)
  }
}

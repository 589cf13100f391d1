import NIOCore
import TelecapImpairment
import TelecapLoop
import TelecapRecording
import TelecapWire

/// A datagram that reached a relay.
struct RelayedDatagram {
  let data: ByteBuffer
  let client: UDPClients.Client
  /// Its index in its direction, from 1.
  let number: Int
  /// The time of day at which it came.
  let cameAt: Timestamp
}

/// One direction of a relay's network, which holds datagrams until they are due. Runs on the relay's event loop.
struct RelayLink {
  /// A datagram in flight.
  private struct Held {
    let datagram: RelayedDatagram
    /// The number of copies that have neither left nor been dropped.
    var copies: Int
  }

  private var network: ChangingNetwork
  private let dialect: Dialect?
  private let mostBytes: Int
  /// The approximate memory of a datagram in addition to its bytes, which bounds empty ones too.
  private static let overhead = 512
  private var held: [Int: Held] = [:]
  private var heldBytes = 0
  /// The departures of one time; its storage is reused.
  private var due: [LivePlanner.Departure] = []
  /// The number of datagrams dropped because the buffer was full.
  private(set) var overflown = 0

  /// The record of decisions on datagrams; nil where none is requested.
  private let kept: ExecutedPlan?

  init(
    _ played: ChangingNetwork.Played, _ dialect: Dialect?, _ limits: RelayLimits, keptBy kept: ExecutedPlan? = nil
  ) {
    (network, self.dialect, self.kept) = (ChangingNetwork(played), dialect, kept)
    mostBytes = limits.held
  }

  /// Switches to another network for new datagrams. Returns false where too many earlier networks have packets in
  /// flight.
  mutating func play(_ next: ChangingNetwork.Played) -> Bool { network.play(next) }

  /// The account so far.
  var account: NetworkAccount {
    network.account(of: .datagrams, waiting: held.count, isUnderstood: dialect != nil)
  }

  /// The next departure in ns; nil without datagrams in flight.
  var nextWake: Nanoseconds? { network.nextWake }

  /// Handles a datagram at `now` ns; `leave` passes it on, even one without a delay.
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

  /// Passes on all departures due by `now`, in ns, in order of time.
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
    // The changes were made for this message, so they can be applied.
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

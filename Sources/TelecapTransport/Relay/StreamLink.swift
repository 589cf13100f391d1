import TelecapImpairment
import TelecapRecording

/// One direction of a relay's network for byte streams, which schedules their segments. Runs on the relay's event loop.
struct StreamLink {
  private var network: ChangingNetwork
  /// The side of each segment in flight, by the segment's index.
  private var waiting: [Int: TCPHalf] = [:]
  private var number = 0

  /// The segment size, for an MTU of 1,500 bytes.
  static let segment = 1_448

  init(_ played: ChangingNetwork.Played) { network = ChangingNetwork(played) }

  /// Switches to another network for new segments. Returns false where too many earlier networks have segments in
  /// flight.
  mutating func play(_ next: ChangingNetwork.Played) -> Bool { network.play(next) }

  /// The account so far.
  var account: NetworkAccount { network.account(of: .pieces, waiting: waiting.count, isUnderstood: true) }

  /// The next departure in ns; nil without segments in flight.
  var nextWake: Nanoseconds? { network.nextWake }

  /// Handles the next segment of `half`, with this number of bytes, at `now` ns.
  /// - Returns: its index in its direction, from 1.
  mutating func take(_ bytes: Int, of half: TCPHalf, at now: Nanoseconds) -> Int {
    number += 1
    waiting[number] = half
    _ = network.take(PlannedPacket(number: number, time: now, flow: half.slot, length: bytes, isSelected: true))
    return number
  }

  /// The segments that are due by `now`, in ns. Impairments of byte streams never drop or duplicate one.
  mutating func leave(by now: Nanoseconds) -> [(half: TCPHalf, number: Int)] {
    var left: [(TCPHalf, Int)] = []
    network.leave(by: now) { departure in
      if let half = waiting.removeValue(forKey: departure.packet) { left.append((half, departure.packet)) }
    }
    return left
  }
}

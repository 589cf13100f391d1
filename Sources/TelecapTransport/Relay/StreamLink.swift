import TelecapImpairment
import TelecapRecording

/// One way through the network that a relay plays to streams: says when a piece of one may go on. Lives on the relay's event loop.
struct StreamLink {
  private var network: ChangingNetwork
  /// Whose the pieces on their way are, by their numbers.
  private var waiting: [Int: TCPHalf] = [:]
  private var number = 0

  /// What a stream is cut into, as on a network whose packets have 1,500 bytes.
  static let segment = 1_448

  init(_ played: ChangingNetwork.Played) { network = ChangingNetwork(played) }

  /// Becomes another network for what comes from now on. False where too many networks of before still have something on its way.
  mutating func play(_ next: ChangingNetwork.Played) -> Bool { network.play(next) }

  /// What it did so far.
  var account: NetworkAccount { network.account(of: .pieces, waiting: waiting.count, isUnderstood: true) }

  /// When something leaves next, ns; nil while nothing waits.
  var nextWake: Nanoseconds? { network.nextWake }

  /// Takes the next piece of `half`, of so many bytes, at `now` ns.
  /// - Returns: its number among those of its way, from 1.
  mutating func take(_ bytes: Int, of half: TCPHalf, at now: Nanoseconds) -> Int {
    number += 1
    waiting[number] = half
    _ = network.take(PlannedPacket(number: number, time: now, flow: half.slot, length: bytes, isSelected: true))
    return number
  }

  /// The pieces that are due by `now`, ns. What is asked of a stream's network drops and repeats none.
  mutating func leave(by now: Nanoseconds) -> [(half: TCPHalf, number: Int)] {
    var left: [(TCPHalf, Int)] = []
    network.leave(by: now) { departure in
      if let half = waiting.removeValue(forKey: departure.packet) { left.append((half, departure.packet)) }
    }
    return left
  }
}

import TelecapImpairment
import TelecapRecording

/// What lies between a stimulus and a receiver: carries out a plan, line by line. It decides nothing.
///
/// Lines go in in the order of their packets; deliveries come out in the order of their due times, each as soon as
/// nothing can come before it. The packets' bytes stay with whoever has them until `pass` asks for them.
public struct Network {
  @usableFromInline var schedule = Schedule()
  /// Where a packet's bytes are changed; used again and again.
  @usableFromInline var changed: [UInt8] = []

  /// A network through which nothing has passed.
  @inlinable
  public init() {}

  /// Takes the line of the next packet, which our side sends at `time`, and hands on all that is due by then.
  @inlinable
  @inline(__always)
  public mutating func carryOut(
    _ line: PlanLine, sentAt time: Nanoseconds, deliver: (Delivery) throws -> Void
  ) rethrows {
    try schedule.add(line, sentAt: time, deliver: deliver)
  }

  /// Hands on all that is still on its way.
  @inlinable
  public mutating func finish(deliver: (Delivery) throws -> Void) rethrows { try schedule.finish(deliver: deliver) }

  /// The bytes of a packet as they arrive: with the bits flipped that its line names. `body` may have them during the
  /// call only.
  @inlinable
  @inline(__always)
  public mutating func pass<Result>(
    _ bytes: RawSpan, _ delivery: Delivery, _ body: (RawSpan) throws -> Result
  ) rethrows -> Result {
    if delivery.flips.isEmpty { return try body(bytes) }
    changed.removeAll(keepingCapacity: true)
    bytes.withUnsafeBytes { changed.append(contentsOf: $0) }
    Network.flip(delivery.flips, in: &changed)
    return try body(changed.span.bytes)
  }

  /// Flips the bits that a plan line names; those behind the end are none.
  public static func flip(_ bits: InlineList<UInt32>, in bytes: inout [UInt8]) {
    for bit in bits where Int(bit >> 3) < bytes.count { bytes[Int(bit >> 3)] ^= 0x80 >> UInt8(bit & 7) }
  }

  /// Carries out a whole plan at once, for packets that are all at hand: `packet` gives a packet's bytes by its number,
  /// and when it would be sent, or nil when there is no such packet: its line is passed over.
  public static func carryOut(
    _ plan: some Sequence<PlanLine>, of packet: (Int) -> (bytes: [UInt8], sentAt: Timestamp)?,
    deliver: (Delivery, [UInt8]) throws -> Void
  ) rethrows {
    var network = Network()
    func arrive(_ delivery: Delivery) throws {
      guard var bytes = packet(delivery.packet)?.bytes else { return }
      flip(delivery.flips, in: &bytes)
      try deliver(delivery, bytes)
    }
    for line in plan {
      guard let sentAt = packet(line.packet)?.sentAt else { continue }
      try network.carryOut(line, sentAt: sentAt.nanoseconds) { try arrive($0) }
    }
    try network.finish { try arrive($0) }
  }
}

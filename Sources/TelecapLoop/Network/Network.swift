import TelecapImpairment
import TelecapRecording

/// The network between a stimulus and a receiver: carries out a plan, line by line. It decides nothing.
///
/// Lines go in in packet order; deliveries come out in the order of their due times, each as soon as none can precede
/// it. The packets' bytes stay with their owner until `pass` needs them.
public struct Network {
  @usableFromInline var schedule = Schedule()
  /// The buffer for changed bytes, which is reused.
  @usableFromInline var changed: [UInt8] = []

  /// A network without packets.
  @inlinable
  public init() {}

  /// Adds the line of the next packet, which our side sends at `time`, and emits the deliveries that are due by then.
  @inlinable
  @inline(__always)
  public mutating func carryOut(
    _ line: PlanLine, sentAt time: Nanoseconds, deliver: (Delivery) throws -> Void
  ) rethrows {
    try schedule.add(line, sentAt: time, deliver: deliver)
  }

  /// Emits all deliveries that are still in flight.
  @inlinable
  public mutating func finish(deliver: (Delivery) throws -> Void) rethrows { try schedule.finish(deliver: deliver) }

  /// Passes the bytes of a packet on arrival, with the flipped bits of its line, to `body`, for the duration of the
  /// call.
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

  /// Flips the bits of a plan line; bits beyond the end are ignored.
  public static func flip(_ bits: InlineList<UInt32>, in bytes: inout [UInt8]) {
    for bit in bits where Int(bit >> 3) < bytes.count { bytes[Int(bit >> 3)] ^= 0x80 >> UInt8(bit & 7) }
  }

  /// Carries out a whole plan at once, for packets in memory: `packet` returns a packet's bytes by its number and its
  /// time of unimpaired sending, or nil for an unknown packet, whose line is ignored.
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

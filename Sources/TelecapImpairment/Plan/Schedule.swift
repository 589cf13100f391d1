import HeapModule
import TelecapRecording

/// One copy of one packet to send.
public struct Delivery: Hashable, Sendable, Comparable {
  /// The due time: ns from the start of the run.
  public var due: Nanoseconds
  /// The packet's number in its capture.
  public var packet: Int
  /// The number of the copy, from 0.
  public var copy: Int
  /// The bits of its payload to flip (`PlanLine.flips`).
  public var flips: InlineList<UInt32>

  /// A delivery with these values.
  @inlinable
  public init(due: Nanoseconds, packet: Int, copy: Int = 0, flips: InlineList<UInt32> = []) {
    self.due = due
    self.packet = packet
    self.copy = copy
    self.flips = flips
  }

  /// Earlier; at the same time the lower packet, and of one packet the lower copy.
  @inlinable
  @inline(__always)
  public static func < (left: Delivery, right: Delivery) -> Bool {
    if left.due != right.due { return left.due < right.due }
    return left.packet != right.packet ? left.packet < right.packet : left.copy < right.copy
  }
}

/// Converts plan lines, in packet order, to deliveries in the order of (due, packet, copy). It emits a delivery as soon
/// as none can precede it: no packet is due before its time of unimpaired sending. So it stores the packets in flight.
/// (If all times are 0 and deliveries are delayed, these are all packets.)
///
/// Deliveries that arrive in order, most of them, go through a queue; the others through a heap.
public struct Schedule {
  @usableFromInline var inOrder = Ring<Delivery>(placeholder: Delivery(due: 0, packet: 0))
  @usableFromInline var overtaken = Heap<Delivery>()
  @usableFromInline var newest = Delivery(due: .min, packet: .min)
  @usableFromInline var watermark = Int64.min

  /// An empty schedule.
  @inlinable
  public init() {}

  /// The number of waiting deliveries.
  @inlinable
  public var count: Int { inOrder.count + overtaken.count }

  /// Adds the next line, and emits the deliveries that are due by then. `time` is the time of unimpaired sending of its
  /// packet. An earlier due time, which only an edited plan has, is raised to it.
  @inlinable
  @inline(__always)
  public mutating func add(
    _ line: PlanLine, sentAt time: Nanoseconds, deliver: (Delivery) throws -> Void
  ) rethrows {
    watermark = max(watermark, time)
    for copy in 0..<line.due.count {
      let due = max(line.due[copy], watermark)
      add(Delivery(due: due, packet: line.packet, copy: copy, flips: line.flips))
    }
    try release(until: watermark, deliver: deliver)
  }

  /// Emits all remaining deliveries.
  @inlinable
  public mutating func finish(deliver: (Delivery) throws -> Void) rethrows {
    try release(until: .max, deliver: deliver)
  }

  @inlinable
  mutating func add(_ delivery: Delivery) {
    if newest < delivery {
      newest = delivery
      inOrder.append(delivery)
    } else {
      overtaken.insert(delivery)
    }
  }

  @inlinable
  mutating func release(until time: Nanoseconds, deliver: (Delivery) throws -> Void) rethrows {
    while let next = takeFirst(until: time) { try deliver(next) }
  }

  @inlinable
  @inline(__always)
  mutating func takeFirst(until time: Nanoseconds) -> Delivery? {
    if let early = overtaken.min, early.due <= time, inOrder.isEmpty || early < inOrder[inOrder.startIndex] {
      return overtaken.removeMin()
    }
    guard !inOrder.isEmpty, inOrder[inOrder.startIndex].due <= time else { return nil }
    defer { inOrder.removeFirst() }
    return inOrder[inOrder.startIndex]
  }
}

import HeapModule
import TelecapRecording

/// One copy of one packet, to be sent.
public struct Delivery: Hashable, Sendable, Comparable {
  /// When: ns from the start of the run.
  public var due: Nanoseconds
  /// The packet's number in its capture.
  public var packet: Int
  /// Which of its copies, from 0.
  public var copy: Int
  /// Which bits of its payload to flip (`PlanLine.flips`).
  public var flips: InlineList<UInt32>

  /// A delivery of these values.
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

/// Turns plan lines, in packet order, into deliveries in the order of (due, packet, copy). It lets go of a delivery as soon
/// as nothing can come before it: no packet is due before the time at which it would be sent unimpaired. So it holds
/// what is in flight. (When all times are 0 and deliveries are delayed, that is all of them.)
///
/// Deliveries that arrive in order, most of them, pass through a queue; the others through a heap.
public struct Schedule {
  @usableFromInline var inOrder = Ring<Delivery>(placeholder: Delivery(due: 0, packet: 0))
  @usableFromInline var overtaken = Heap<Delivery>()
  @usableFromInline var newest = Delivery(due: .min, packet: .min)
  @usableFromInline var watermark = Int64.min

  /// An empty schedule.
  @inlinable
  public init() {}

  /// How many deliveries wait.
  @inlinable
  public var count: Int { inOrder.count + overtaken.count }

  /// Takes the next line, and hands on what is due by then. `time` is when its packet would be sent unimpaired; a due
  /// time before it, which only a plan edited by hand has, is taken for it.
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

  /// Hands on all that is left.
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

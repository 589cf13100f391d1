/// Between a thread that reads packets and the one that makes something of them: while one batch is filled, another is
/// worked on, and a third may lie between. Neither loses anything; who is ahead waits.
///
/// `@unchecked Sendable`: everything that changes is guarded by `monitor`.
public final class BatchHandover: @unchecked Sendable {
  /// So many bytes of frames make a batch worth handing over.
  public static let size = 128 << 10

  private let monitor = Monitor()
  private var between = PacketBatch()
  private var isFull = false
  private var isEnded = false

  /// Nothing lies between yet.
  public init() {}

  /// Swaps a full batch for an empty one; waits while another lies there. False: nobody wants more.
  public func put(_ batch: inout PacketBatch) -> Bool {
    monitor.lock()
    defer { monitor.unlock() }
    while isFull, !isEnded { monitor.wait() }
    if isEnded { return false }
    swap(&batch, &between)
    isFull = true
    monitor.signal()
    batch.removeAll()
    return true
  }

  /// Swaps a batch that is done with for the next; waits for it. False: that was all.
  public func take(_ batch: inout PacketBatch) -> Bool {
    monitor.lock()
    defer { monitor.unlock() }
    while !isFull, !isEnded { monitor.wait() }
    guard isFull else { return false }
    swap(&batch, &between)
    isFull = false
    monitor.signal()
    return true
  }

  /// Nothing more comes, or nothing more is wanted.
  public func end() {
    monitor.lock()
    isEnded = true
    monitor.signal()
    monitor.unlock()
  }
}

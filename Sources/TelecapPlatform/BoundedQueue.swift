/// Elements on their way from one thread to another: only a few wait, so that memory does not grow with what is read. Neither side
/// loses anything; the one that is ahead waits.
public final class BoundedQueue<Element: Sendable>: Sendable {
  /// Nothing more is wanted: the producer ends with it.
  public struct Cancelled: Error {}

  private struct State {
    var waiting: [Element]
    /// Elements that were given back, whose memory serves again.
    var spare: [Element] = []
    var isCancelled = false
    /// The producer's result; nil while it goes on.
    var end: Result<Void, any Error>?
  }

  private let capacity: Int
  private let state: Locked<State>

  /// A queue in which at most `capacity` elements wait; these wait already.
  public init(capacity: Int, _ elements: [Element] = []) {
    self.capacity = capacity
    state = Locked(State(waiting: elements))
  }

  // MARK: The producer's side

  /// Does all the producing; `take` throws what `body` throws, after all elements before it.
  public func produce(_ body: () throws -> Void) {
    let end = Result(catching: body)
    state.with { $0.end = end }
  }

  /// Hands an element over; waits while the queue is full.
  ///
  /// - Throws: `Cancelled` when nothing more is wanted: pass it on.
  public func put(_ element: Element) throws(Cancelled) {
    let isWanted = state.with(when: { $0.waiting.count < self.capacity || $0.isCancelled }) { state in
      if !state.isCancelled { state.waiting.append(element) }
      return !state.isCancelled
    }
    if !isWanted { throw Cancelled() }
  }

  /// An element that was given back; nil where there is none.
  public func takeSpare() -> Element? { state.with { $0.spare.popLast() } }

  // MARK: The consumer's side

  /// The next element; waits for it. Nil: that was all.
  ///
  /// - Throws: what the producer threw, after all elements before it.
  public func take() throws -> Element? {
    try state.with(when: { !$0.waiting.isEmpty || $0.end != nil }) { state in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      if case .failure(let error) = state.end, !(error is Cancelled) { throw error }
      return nil
    }
  }

  /// The next element, if it is there.
  public func takeIfReady() -> Element? { state.with { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }

  /// Gives back an element that is done with.
  public func recycle(_ element: Element) { state.with { $0.spare.append(element) } }

  /// Nothing more is wanted.
  public func cancel() { state.with { $0.isCancelled = true } }

  /// Returns when the producer has ended.
  public func waitForEnd() { state.with(when: { $0.end != nil }) { _ in } }
}

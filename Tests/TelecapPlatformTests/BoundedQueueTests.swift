import Dispatch
import TelecapPlatform
import TelecapTestSupport
import Testing

@Suite("A bounded queue", .timeLimit(.minutes(10))) struct BoundedQueueTests {
  private struct Broken: Error {}

  /// Produces on another thread.
  private func filled(_ queue: BoundedQueue<Int>, _ produce: @escaping @Sendable () throws -> Void) {
    DispatchQueue.global().async { queue.produce(produce) }
  }

  @Test("Hands over everything in order, however few may wait", arguments: [1, 2, 8])
  func handsOverEverythingInOrder(capacity: Int) throws {
    let queue = BoundedQueue<Int>(capacity: capacity)
    filled(queue) { for number in 0..<200 { try queue.put(number) } }
    var taken: [Int] = []
    while let number = try queue.take() { taken.append(number) }
    #expect(taken == Array(0..<200))
    // A consumer that asks again gets the same answer.
    #expect(try queue.take() == nil)
  }

  @Test("Lets the producer be ahead by its capacity and no more")
  func letsTheProducerBeAheadByItsCapacity() throws {
    let queue = BoundedQueue<Int>(capacity: 3)
    let put = Locked(0)
    filled(queue) {
      for number in 0..<10 {
        try queue.put(number)
        put.with { $0 += 1 }
      }
    }
    put.with(when: { $0 == 3 }) { _ in }
    // A fourth would be put after any take, and is not before.
    #expect(put.with { $0 } == 3)
    #expect(try queue.take() == 0)
    put.with(when: { $0 == 4 }) { _ in }
    queue.cancel()
    queue.waitForEnd()
    #expect(put.with { $0 } == 4)
  }

  @Test("Throws what the producer threw after all that came before it, again and again")
  func throwsWhatTheProducerThrew() throws {
    let queue = BoundedQueue<Int>(capacity: 2)
    filled(queue) {
      try queue.put(1)
      throw Broken()
    }
    #expect(try queue.take() == 1)
    for _ in 0..<2 { #expect(throws: Broken.self) { try queue.take() } }
  }

  @Test("Ends a producer that would go on for ever, and is no error then")
  func endsAProducer() throws {
    let queue = BoundedQueue<Int>(capacity: 1)
    filled(queue) { while true { try queue.put(1) } }
    #expect(try queue.take() == 1)
    queue.cancel()
    queue.waitForEnd()
    while try queue.take() != nil {}
  }

  @Test("Gives what is there at once, and given back elements to the producer")
  func givesWhatIsThereAtOnce() throws {
    let queue = BoundedQueue(capacity: 2, [7])
    #expect(queue.takeIfReady() == 7)
    #expect(queue.takeIfReady() == nil)
    #expect(queue.takeSpare() == nil)
    queue.recycle(7)
    #expect(queue.takeSpare() == 7)
    #expect(queue.takeSpare() == nil)
  }
}

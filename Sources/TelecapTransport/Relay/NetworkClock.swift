import NIOCore
import TelecapRecording

/// The time of a relay's network, and its timer for due packets. Runs on the relay's event loop.
final class NetworkClock {
  private let loop: any EventLoop
  private let began: NIODeadline
  /// The next timer.
  private var waking: (time: Nanoseconds, task: Scheduled<Void>)?

  /// The clock of a relay that starts now, by the time of its loop.
  init(_ loop: any EventLoop) { (self.loop, began) = (loop, loop.now) }

  /// The time in ns since the relay started.
  var now: Nanoseconds { (loop.now - began).nanoseconds }

  /// Calls `body` at `time`, in ns, unless it is called before; nil sets no timer.
  func wake(at time: Nanoseconds?, _ body: @escaping () -> Void) {
    guard let time else { return }
    if let waking, waking.time <= time, waking.time > now { return }
    waking?.task.cancel()
    let bound = NIOLoopBound((Weak(self), body), eventLoop: loop)
    let task = loop.scheduleTask(deadline: began + .nanoseconds(time)) {
      bound.value.0.clock?.waking = nil
      bound.value.1()
    }
    waking = (time, task)
  }

  /// Cancels the timer.
  func cancel() {
    waking?.task.cancel()
    waking = nil
  }

  private struct Weak {
    weak var clock: NetworkClock?
    init(_ clock: NetworkClock) { self.clock = clock }
  }
}

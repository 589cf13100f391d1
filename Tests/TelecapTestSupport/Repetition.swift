import Foundation
import TelecapPlatform

/// Does something again and again on a thread of its own, until `stop`.
public final class Repetition: Sendable {
  private enum Phase { case running, stopping, ended }

  private let phase = Locked(Phase.running)

  /// Begins; `body` gets how often it was done before.
  public init(_ body: @escaping @Sendable (_ count: Int) -> Void) {
    Thread.detachNewThread { [phase] in
      var count = 0
      while phase.with({ $0 == .running }) {
        body(count)
        count += 1
      }
      phase.with { $0 = .ended }
    }
  }

  /// Returns when nothing is done any more.
  public func stop() {
    phase.with { if $0 == .running { $0 = .stopping } }
    phase.with(when: { $0 == .ended }) { _ in }
  }
}

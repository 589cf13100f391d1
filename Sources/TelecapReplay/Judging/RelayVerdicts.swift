import TelecapPlatform
import TelecapReport
import TelecapTransport

/// The current verdicts of a tested relay's program. The relay computes them only on request.
public final class RelayVerdicts: Sendable {
  private struct State {
    var isAsked = false
    var standing: RelayStanding?
  }

  private let state = Locked(State())

  /// The verdicts of a relay that has not started.
  public init() {}

  /// Requests new verdicts, which the relay computes as soon as it can.
  public func ask() { state.with { $0.isAsked = true } }

  /// Takes a request; returns whether there was one.
  func takeAsk() -> Bool {
    state.with { state in
      defer { state.isAsked = false }
      return state.isAsked
    }
  }

  /// The current verdicts; nil before the first.
  public var standing: RelayStanding? { state.with { $0.standing } }

  func tell(_ standing: RelayStanding) { state.with { $0.standing = standing } }
}

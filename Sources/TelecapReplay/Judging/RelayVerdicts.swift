import TelecapPlatform
import TelecapReport
import TelecapTransport

/// Where a judged relay leaves how its program stands, for whoever looks; it judges meanwhile only where somebody asks.
public final class RelayVerdicts: Sendable {
  private struct State {
    var isAsked = false
    var standing: RelayStanding?
  }

  private let state = Locked(State())

  /// For a relay that is to start.
  public init() {}

  /// Somebody looks: the relay judges anew as soon as it may.
  public func ask() { state.with { $0.isAsked = true } }

  /// Whether somebody asked; he who answers has to be asked again.
  func takeAsk() -> Bool {
    state.with { state in
      defer { state.isAsked = false }
      return state.isAsked
    }
  }

  /// How it stands; nil where nothing was judged yet.
  public var standing: RelayStanding? { state.with { $0.standing } }

  func tell(_ standing: RelayStanding) { state.with { $0.standing = standing } }
}

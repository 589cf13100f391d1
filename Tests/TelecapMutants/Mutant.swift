import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapWire

/// A right model with one thing changed.
public struct Mutant: Sendable, CustomStringConvertible {
  /// role/transport/direction/place/change.
  public let name: String
  /// The kind of change.
  public let kind: Operator
  /// The requirements of which one must catch it; empty where that does not follow from its place.
  public let requirements: [String]
  /// The transport of the messages that it is wrong about.
  public let carrier: Carrier?
  /// The right model that it is made of.
  public let right: PartModel
  /// The model with the change, set up so; `reach` learns whether the change made a difference to what came in, went out or
  /// was shown.
  let peer: @Sendable (Setup, Reach) throws(WireError) -> any DrivenPeer

  public var description: String { name }
  /// The part that it plays.
  public var part: Part { right.part }

  /// The model with the change, as a system under test.
  func system(_ reach: Reach) -> ModelSystem {
    ModelSystem(
      PartModel(right.part, shows: right.shows, faults: NoFault.self, judging: right.judging) {
        (setup, _) throws(WireError) in try peer(setup, reach)
      })
  }

  /// Whether a run that is set up so can show anything of it.
  func concerns(_ setup: Setup) -> Bool {
    guard setup.part == part else { return false }
    return part.role?.owner.mixesCarriers != false || carrier == nil || setup.carrier == carrier
  }
}

/// A mutant has no other ways of being wrong.
enum NoFault: String, CaseIterable, Sendable {
  case none
  static let allCases: [NoFault] = []
}

/// Whether a mutant's change made a difference in a run. A run is on one thread, and who reads it waits for its end: hence
/// `@unchecked Sendable`.
final class Reach: @unchecked Sendable {
  /// It made a difference.
  var isTouched = false
}

import TelecapModels
import TelecapRecording
import TelecapWire

/// Our model of a part: correct, or a mutant with one of its faults.
public struct PartModel: Sendable, CustomStringConvertible {
  /// The part.
  public let part: Part
  /// The observables of the model.
  public let shows: Set<Observable>
  /// Its possible faults, such as `no-clamp`.
  public let faults: [String]
  /// How any system of this part is tested by the streams that it receives.
  public let judging: StreamJudging
  /// Makes the model for a setup and its seed; with a fault, the mutant that has it.
  let make: @Sendable (Setup, String?) throws(WireError) -> any DrivenPeer

  /// The model of `part`, whose faults are the cases of `Fault`.
  public init<Fault: RawRepresentable & CaseIterable & Sendable>(
    _ part: Part, shows: Set<Observable>, faults: Fault.Type, judging: StreamJudging = StreamJudging(),
    make: @escaping @Sendable (Setup, Fault?) throws(WireError) -> any DrivenPeer
  ) where Fault.RawValue == String {
    self.part = part
    self.shows = shows
    self.faults = Fault.allCases.map(\.rawValue)
    self.judging = judging
    self.make = { (setup, name) throws(WireError) in try make(setup, name.flatMap { Fault(rawValue: $0) }) }
  }

  /// The model of `part` with these possible faults.
  init(
    _ part: Part, shows: Set<Observable>, faults: [String], judging: StreamJudging,
    make: @escaping @Sendable (Setup, String?) -> any DrivenPeer
  ) {
    self.part = part
    self.shows = shows
    self.faults = faults
    self.judging = judging
    self.make = { (setup, fault) throws(WireError) in make(setup, fault) }
  }

  /// The model with this setup: correct, or a mutant with one of `faults`.
  ///
  /// - Throws: `WireError` where the setup is invalid.
  public func model(_ setup: Setup, fault: String? = nil) throws(WireError) -> any DrivenPeer { try make(setup, fault) }

  /// Whether its observables are only streams that follow from the declaration of their protocol.
  public var isDeclared: Bool {
    !judging.streams.isEmpty && judging.streams.allSatisfy { $0.rules.events == nil }
  }

  public var description: String { part.name }
}

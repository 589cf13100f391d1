import TelecapModels
import TelecapRecording
import TelecapWire

/// Our model of a part: right, or wrong in one of the ways that it names.
public struct PartModel: Sendable, CustomStringConvertible {
  /// The part.
  public let part: Part
  /// What it shows beside what it says on the wire.
  public let shows: Set<Observable>
  /// The ways in which it can be wrong here, such as `no-clamp`.
  public let faults: [String]
  /// How any system that plays the part is judged by the streams that it receives.
  public let judging: StreamJudging
  /// Makes the model for a set-up and its seed; with a fault, the one that is wrong in just this way.
  let make: @Sendable (Setup, String?) throws(WireError) -> any DrivenPeer

  /// The model of `part`, whose ways of being wrong are the cases of `Fault`.
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

  /// The model of `part`, which can be wrong in the ways of this list.
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

  /// The model, set up like this: right, or wrong in one of the ways of `faults`.
  ///
  /// - Throws: `WireError` where it cannot be set up so.
  public func model(_ setup: Setup, fault: String? = nil) throws(WireError) -> any DrivenPeer { try make(setup, fault) }

  /// All that it shows are streams that follow from the declaration of their protocol alone.
  public var isDeclared: Bool {
    !judging.streams.isEmpty && judging.streams.allSatisfy { $0.rules.events == nil }
  }

  public var description: String { part.name }
}

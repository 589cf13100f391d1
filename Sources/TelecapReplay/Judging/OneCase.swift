import TelecapConformance
import TelecapImpairment

/// One case of a scenario, for the command that repeats a failure.
public struct OneCase: Sendable {
  /// The network; nil for every one.
  public var network: Impairments?
  /// The size of TCP segments, in bytes.
  public var pieces: Int?
  /// The seed.
  public var seed: UInt64?

  /// The case with these parameters; nil without any.
  ///
  /// - Parameter network: such as `--loss 5% --stall 1s@2s`; `none` for none; or the name or file of a network profile.
  /// - Throws: `ImpairmentSyntaxError`; errors of reading a profile.
  public init?(network: String?, pieces: Int?, seed: UInt64?) throws {
    guard network != nil || pieces != nil || seed != nil else { return nil }
    self.network = try network.map { text in
      if text == "none" { return .none }
      return text.contains("--") ? try Impairments(parsing: text) : try NetworkLibrary().read(text).impairments
    }
    (self.pieces, self.seed) = (pieces, seed)
  }

  /// The scenarios with that case only.
  ///
  /// - Throws: `FieldProblem` when the network changes fields that a scenario's messages do not have;
  ///   `ReplayProblem.noStream` when a segment size is given and none has a byte stream.
  public func restrict(_ scenarios: [Scenario]) throws -> [Scenario] {
    if pieces != nil, !scenarios.contains(where: \.hasStream) { throw ReplayProblem.noStream }
    return try scenarios.map { scenario in
      var result = scenario
      if let network { try result.confine(to: network) }
      if let pieces, scenario.hasStream { result.pieces = [pieces] }
      if let seed { result.onlySeed = seed }
      return result
    }
  }
}

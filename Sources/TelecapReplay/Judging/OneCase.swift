import TelecapConformance
import TelecapImpairment

/// Just one case of a scenario, as the command that repeats a failure asks for it.
public struct OneCase: Sendable {
  /// Only this network; nil for every one.
  public var network: Impairments?
  /// Only this size of TCP pieces, in bytes.
  public var pieces: Int?
  /// Only this seed.
  public var seed: UInt64?

  /// The case of these; nil when nothing is asked for.
  ///
  /// - Parameter network: such as `--loss 5% --stall 1s@2s`; `none` for none; or a network's name or file.
  /// - Throws: `ImpairmentSyntaxError`; what reading a network throws.
  public init?(network: String?, pieces: Int?, seed: UInt64?) throws {
    guard network != nil || pieces != nil || seed != nil else { return nil }
    self.network = try network.map { text in
      if text == "none" { return .none }
      return text.contains("--") ? try Impairments(parsing: text) : try NetworkLibrary().read(text).impairments
    }
    (self.pieces, self.seed) = (pieces, seed)
  }

  /// The scenarios with that case alone.
  ///
  /// - Throws: `FieldProblem` when the network changes fields that a scenario's messages do not have; `ReplayProblem.noStream`
  ///   when pieces are asked for and none has a stream.
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

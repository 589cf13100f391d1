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
  /// - Parameter network: such as `--loss 5% --stall 1s@2s`; `none` for none.
  /// - Throws: `ImpairmentSyntaxError`
  public init?(network: String?, pieces: Int?, seed: UInt64?) throws(ImpairmentSyntaxError) {
    guard network != nil || pieces != nil || seed != nil else { return nil }
    if let network { self.network = network == "none" ? Impairments.none : try Impairments(parsing: network) }
    (self.pieces, self.seed) = (pieces, seed)
  }

  /// The scenarios with that case alone.
  public func restrict(_ scenarios: [Scenario]) -> [Scenario] {
    scenarios.map { scenario in
      var result = scenario
      if let network { result.combinations = [network] }
      if let pieces { result.pieces = [pieces] }
      if let seed { result.onlySeed = seed }
      return result
    }
  }
}

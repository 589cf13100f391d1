import TelecapRecording

/// All our models together, `models`: each scenario runs against the correct model of its part.
public struct EveryModel: SystemUnderTest {
  /// Its name on the command line.
  public static let name = "models"

  private let suites: Suites

  /// Every model of these suites.
  public init(_ suites: Suites) { self.suites = suites }

  public var name: String { EveryModel.name }
  public var parts: Set<Part> { Set(suites.parts) }
  public var carriers: Set<Carrier> { Set(Carrier.allCases) }

  public func run(_ script: Script) async throws -> RunLog {
    guard let model = suites.model(of: script.setup.part) else {
      throw SystemError("there is no model of a \(script.setup.part)")
    }
    return try ModelSystem(model).runNow(script)
  }
}

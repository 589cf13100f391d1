/// All our models together, `models`: each scenario runs against the right model of its part.
public struct EveryModel: SystemUnderTest {
  /// What a command line calls it.
  public static let name = "models"

  /// Every model.
  public init() {}

  public var name: String { EveryModel.name }
  public var parts: Set<Part> { Set(Part.allCases) }

  public func run(_ script: Script) async throws -> RunLog { try ModelSystem(script.setup.part).runNow(script) }
}

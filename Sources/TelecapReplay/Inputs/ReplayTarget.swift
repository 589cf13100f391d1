import TelecapText
import TelecapTransport

/// The target of a replay on the command line: a program at an address, one of our own peers, or a model.
public enum ReplayTarget: Sendable {
  /// Loopback and the recorded ports.
  case recorded
  /// A host, perhaps with a port.
  case address(HostPort)
  /// One of our peers, in this process, over real sockets.
  case simulate(String)
  /// One of our models, in virtual time.
  case model(String)
  /// A program of a system file, or a running one, which is tested by its traffic only.
  case system(String)

  /// Parses `HOST`, `HOST:PORT`, `simulate:ROLE`, `model:ROLE`, `FILE.yaml` or `udp://HOST:PORT?role=host`.
  public init(parsing text: String) throws(HostPortError) {
    for (prefix, make) in [("simulate:", ReplayTarget.simulate), ("model:", ReplayTarget.model)]
    where text.hasPrefix(prefix) {
      self = make(String(text.dropFirst(prefix.count)))
      return
    }
    let isSystem = text.hasPrefix("udp://") || text.hasEnding(".yaml") || text.hasEnding(".yml")
    self = isSystem ? .system(text) : .address(try HostPort(parsing: text, portRequired: false))
  }

  /// - Throws: `ReplayProblem` unless the source's packets are for this receiver.
  public func check(_ source: ReplaySource) throws {
    switch self {
    case .simulate(let receiver), .model(let receiver): try source.check(isFor: receiver)
    case .recorded, .address, .system: return
    }
  }

  /// The name of our peer or model; nil for other targets.
  public var receiver: String? {
    switch self {
    case .simulate(let receiver), .model(let receiver): receiver
    case .recorded, .address, .system: nil
    }
  }

  /// The system file; nil without one.
  public var file: String? { if case .system(let name) = self, !name.hasPrefix("udp://") { name } else { nil } }
  /// Whether it is one of our models.
  public var isModel: Bool { if case .model = self { true } else { false } }
  /// Whether it is a system under test.
  public var isSystem: Bool { if case .system = self { true } else { false } }
}

import TelecapText
import TelecapTransport

/// The target of a relay as a person types it: an address, or a program of a system file, which telecap starts and
/// tests.
public struct RelayTarget: Sendable {
  /// The listening address and the target; that of a program is known after its start.
  public var spec: RelaySpec
  /// The system file; nil for an address.
  public var file: String?

  /// Parses `udp:50001=HOST:PORT` or `udp:50001=my-host.yaml`.
  public init(parsing text: String) throws(RelaySpecError) {
    guard let equals = text.firstIndex(of: "="), text.hasEnding(".yaml") || text.hasEnding(".yml") else {
      spec = try RelaySpec(parsing: text)
      return
    }
    file = String(text[text.index(after: equals)...])
    spec = try RelaySpec(parsing: text[...equals] + "127.0.0.1:1")
  }
}

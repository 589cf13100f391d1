import TelecapText
import TelecapTransport

/// What a person wants a relay to pass on to: an address, or a program of a system file, which telecap starts and judges.
public struct RelayTarget: Sendable {
  /// What to listen on, and the address; that of a program is found when it is started.
  public var spec: RelaySpec
  /// The system file; nil for an address.
  public var file: String?

  /// Reads `udp:50001=HOST:PORT` or `udp:50001=my-host.yaml`.
  public init(parsing text: String) throws(RelaySpecError) {
    guard let equals = text.firstIndex(of: "="), text.hasEnding(".yaml") || text.hasEnding(".yml") else {
      spec = try RelaySpec(parsing: text)
      return
    }
    file = String(text[text.index(after: equals)...])
    spec = try RelaySpec(parsing: text[...equals] + "127.0.0.1:1")
  }
}

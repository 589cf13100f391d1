import ArgumentParser
import TelecapReplay
import TelecapTransport

/// `--to`: a program at an address, one of our own peers, or a model.
enum ReplayTarget: Sendable {
  /// Loopback and the recorded ports.
  case recorded
  /// A host, perhaps with a port.
  case address(HostPort)
  /// One of our peers, in this process, over real sockets.
  case simulate(String)
  /// One of our models, in virtual time.
  case model(String)
  /// A program that a system file describes, or one that somebody else started and that is judged by the wire alone.
  case system(String)

  static let parse: @Sendable (String) throws -> ReplayTarget = { text in
    for (prefix, make) in [("simulate:", ReplayTarget.simulate), ("model:", ReplayTarget.model)]
    where text.hasPrefix(prefix) {
      return make(String(text.dropFirst(prefix.count)))
    }
    if text.hasPrefix("udp://") || text.hasSuffix(".yaml") || text.hasSuffix(".yml") { return .system(text) }
    do throws(HostPortError) {
      return .address(try HostPort(parsing: text, portRequired: false))
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Throws unless what the source sends is for this receiver.
  func check(_ source: ReplaySource) throws {
    switch self {
    case .simulate(let receiver), .model(let receiver): try source.check(isFor: receiver)
    case .recorded, .address, .system: return
    }
  }

  /// Which of our peers or models it is; nil for others.
  var receiver: String? {
    switch self {
    case .simulate(let receiver), .model(let receiver): receiver
    case .recorded, .address, .system: nil
    }
  }

  /// The system file; nil where there is none.
  var file: String? { if case .system(let name) = self, !name.hasPrefix("udp://") { name } else { nil } }
  var isModel: Bool { if case .model = self { true } else { false } }
  var isSystem: Bool { if case .system = self { true } else { false } }
}

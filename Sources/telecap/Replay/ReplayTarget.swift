import ArgumentParser
import TelecapRecording
import TelecapTele
import TelecapTransport
import TelecapWire

/// `--to`: a program at an address, one of our own peers, or a model.
enum ReplayTarget: Sendable {
  /// Loopback and the recorded ports.
  case recorded
  /// A host, perhaps with a port.
  case address(HostPort)
  /// One of our peers, in this process, over real sockets.
  case simulate(Role)
  /// One of our models, in virtual time.
  case model(Role)
  /// A program that a system file describes, or one that somebody else started and that is judged by the wire alone.
  case system(String)

  static let parse: @Sendable (String) throws -> ReplayTarget = { text in
    for (prefix, make) in [("simulate:", ReplayTarget.simulate), ("model:", ReplayTarget.model)]
    where text.hasPrefix(prefix) {
      let name = String(text.dropFirst(prefix.count))
      guard let role = Role(rawValue: name), role != .mouse else {
        throw ValidationError("'\(name)' receives nothing: give \(prefix)host, \(prefix)phone or \(prefix)mouse-host")
      }
      return make(role)
    }
    if text.hasPrefix("udp://") || text.hasSuffix(".yaml") || text.hasSuffix(".yml") { return .system(text) }
    do throws(HostPortError) {
      return .address(try HostPort(parsing: text, portRequired: false))
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Throws unless what `role` sends is for this receiver.
  func check(_ role: Role) throws {
    guard case .simulate(let receiver) = self else {
      guard case .model(let receiver) = self else { return }
      return try Self.check(receiver, role)
    }
    try Self.check(receiver, role)
  }

  private static func check(_ receiver: Role, _ sender: Role) throws {
    if receiver == sender.receiver { return }
    throw Failure(
      .usage, "what a \(sender.rawValue) sends is for a \(sender.receiver.rawValue), not for a \(receiver.rawValue)",
      advice: "choose the sender with --as, or send --to the other")
  }
}

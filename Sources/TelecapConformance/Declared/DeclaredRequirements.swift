import TelecapRecording
import TelecapWire

/// What follows from a protocol's declaration: every protocol is held to it, whoever declared it.
enum DeclaredRequirements {
  /// The requirements of a protocol, in the order in which they are told: its header, then each stream.
  static func all(of owner: WireProtocol, _ streams: [DeclaredStream]) -> [Requirement] {
    streams.isEmpty ? [] : header(owner) + streams.flatMap { of($0, owner) }
  }

  private static func header(_ owner: WireProtocol) -> [Requirement] {
    let source = "\(owner.title): the header"
    let fields = owner.recognisedFields.map { field in
      Requirement(
        "\(owner.name).header.\(field)", .must, "A message whose \(field) is wrong is dropped and changes nothing.",
        source)
    }
    return fields + [
      Requirement(
        "\(owner.name).header.truncated", .must,
        "Every length shorter than the message's is dropped, and none crashes.",
        source),
      Requirement(
        "\(owner.name).robust.mutations", .must, "After mutated messages the system still does what is right.", source),
    ]
  }

  private static func of(_ stream: DeclaredStream, _ owner: WireProtocol) -> [Requirement] {
    StreamAspect.allCases.compactMap { aspect in
      aspect.sentence(of: stream).map {
        Requirement(
          aspect.id(of: stream, owner), .must, derived: true, $0, "\(owner.title): \(stream.rules.message)")
      }
    }
  }
}

/// What is required of a stream.
enum StreamAspect: String, Sendable, CaseIterable {
  /// The latest value wins.
  case latest = "latest-value-wins"
  /// The same message twice is applied once.
  case duplicate
  /// What is applied is what the message holds.
  case values
  /// What is not finite is not applied.
  case finite
  /// Silence turns it off.
  case safe = "safe-on-loss"

  /// Its requirement's id: `dsu.pad.duplicate`.
  func id(of stream: DeclaredStream, _ owner: WireProtocol) -> String {
    "\(owner.name).\(stream.rules.name).\(rawValue)"
  }

  /// What it requires of this stream; nil where it requires nothing.
  func sentence(of stream: DeclaredStream) -> String? {
    let message = stream.rules.message
    switch self {
    case .latest:
      guard let order = stream.order else {
        return "Once nothing more arrives, what is applied is the last \(message) received" + clamp(stream) + "."
      }
      return "A \(message) is applied only if its \(order.name) is newer than that of every one applied before it."
    case .duplicate: return stream.order == nil ? nil : "A \(message) that comes twice is applied once."
    case .values:
      guard stream.order != nil, !stream.values.isEmpty else { return nil }
      return "What is applied of a \(message) is what it holds" + clamp(stream) + "."
    case .finite:
      return stream.hasFloats
        ? "A \(message) that holds NaN or ∞ is not applied, and does not count as the newest." : nil
    case .safe:
      return stream.rules.silence.map { "When no \(message) has come for \(Double($0) / 1e9) s what is applied is 0." }
    }
  }

  private func clamp(_ stream: DeclaredStream) -> String {
    stream.rules.range.map { ", clamped to \($0.lowerBound)…\($0.upperBound)" } ?? ""
  }
}

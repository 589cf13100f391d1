import TelecapModels
import TelecapRecording
import TelecapWire

/// A packet with which telecap checks, before a run, whether the port of a system is open: an empty datagram, or a
/// connection that is closed at once. It is not part of the scenario, and its effects are no failures.
public struct ReadinessProbe: Hashable, Sendable {
  /// The peer whose address it was sent from; nil for a connection from a separate port.
  public var peer: PeerName?
  /// Its transport.
  public var carrier: Carrier
  /// The time between the probe and the run, in ns.
  public var before: Nanoseconds

  /// A probe of these values.
  public init(peer: PeerName?, carrier: Carrier, before: Nanoseconds) {
    (self.peer, self.carrier, self.before) = (peer, carrier, before)
  }

  /// Its description.
  public var words: String {
    let what = carrier == .tcp ? "a TCP connection, closed at once" : "an empty datagram from \(peer ?? "us")"
    return "readiness probe of telecap: \(what), \(before / 1_000_000) ms before the run"
  }

  /// The time in which a system may answer a probe or print its effect, in ns.
  static let grace: Nanoseconds = 1_000_000_000
}

extension RunLog {
  /// The time until which an event may be the effect of a probe, if nothing was delivered; nil where none was sent.
  public var probesEnd: Timestamp? {
    probes.map { Timestamp(nanoseconds: ReadinessProbe.grace - $0.before) }.max().flatMap { $0 > .zero ? $0 : nil }
  }
}

extension AppliedValue {
  /// Whether it is a single measure, not a count.
  fileprivate var isMeasure: Bool { values.count == 1 && values.whole(at: 0) == nil }
}

extension PeerEvent {
  /// Whether a message must cause it. A state, such as the position of a pointer, may be shown at any time.
  public var isReaction: Bool {
    switch self {
    case .dropped, .received, .sessionOpened, .sessionClosed, .requested, .invalid, .ignored, .skipped: true
    case .note(let note): note.kind.role == .reaction
    // A measure other than 0 is the effect of a message; counts and bits may be shown at any time.
    case .applied(let value): value.names?.isState != true || value.isMeasure && !value.values.isOff
    default: false
    }
  }
}

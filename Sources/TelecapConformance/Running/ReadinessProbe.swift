import TelecapModels
import TelecapRecording
import TelecapWire

/// A packet by which telecap found out, before a run, whether the port of a system is open: an empty datagram, or a
/// connection that is closed at once. It is none of the scenario's, and what it causes is no fault.
public struct ReadinessProbe: Hashable, Sendable {
  /// The peer from whose address it was sent; nil for a connection from a port of its own.
  public var peer: PeerName?
  /// What carried it.
  public var carrier: Carrier
  /// How long before the run it was sent, in ns.
  public var before: Nanoseconds

  /// A probe of these values.
  public init(peer: PeerName?, carrier: Carrier, before: Nanoseconds) {
    (self.peer, self.carrier, self.before) = (peer, carrier, before)
  }

  /// What it is, in words.
  public var words: String {
    let what = carrier == .tcp ? "a TCP connection, closed at once" : "an empty datagram from \(peer ?? "us")"
    return "readiness probe of telecap: \(what), \(before / 1_000_000) ms before the run"
  }

  /// For how long a system may answer a probe or show what it made of it, in ns.
  static let grace: Nanoseconds = 1_000_000_000
}

extension RunLog {
  /// Until when something may be the effect of a probe, where nothing was delivered yet; nil where none was sent.
  public var probesEnd: Timestamp? {
    probes.map { Timestamp(nanoseconds: ReadinessProbe.grace - $0.before) }.max().flatMap { $0 > .zero ? $0 : nil }
  }
}

extension AppliedValue {
  /// It is one number that is no whole one.
  fileprivate var isMeasure: Bool { values.count == 1 && values.whole(at: 0) == nil }
}

extension PeerEvent {
  /// Something that a system does because of a message; a state, such as where its pointer is, it may show at any time.
  public var isReaction: Bool {
    switch self {
    case .dropped, .received, .sessionOpened, .sessionClosed, .requested, .invalid, .ignored, .skipped: true
    case .note(let note): note.kind.role == .reaction
    // A measure that is not at rest is the effect of a message; a count or bits may be shown at any time.
    case .applied(let value): value.names?.isState != true || value.isMeasure && !value.values.isOff
    default: false
    }
  }
}

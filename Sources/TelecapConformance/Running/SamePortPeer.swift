/// A peer at another address with the port of another peer, which a scenario calls `a@other`. A host that identifies
/// clients only by port confuses it with `a`.
public enum SamePortPeer {
  private static let suffix = "@other"

  /// The peer whose port this one shares; nil for a peer with a separate port.
  public static func namesake(of peer: PeerName) -> PeerName? {
    peer.hasSuffix(suffix) ? String(peer.dropLast(suffix.count)) : nil
  }

  /// Whether a peer of these actions is at another address.
  public static func isNeeded(for actions: [Action]) -> Bool {
    actions.contains { namesake(of: $0.peer) != nil }
  }
}

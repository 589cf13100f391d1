/// A peer at another address with the port of one of the others, which a scenario calls `a@other`: a host that tells its clients apart
/// by their ports alone takes it for `a`.
public enum SamePortPeer {
  private static let suffix = "@other"

  /// Whose port this peer has; nil for one with a port of its own.
  public static func namesake(of peer: PeerName) -> PeerName? {
    peer.hasSuffix(suffix) ? String(peer.dropLast(suffix.count)) : nil
  }

  /// Whether somebody among those who do this is at another address.
  public static func isNeeded(for actions: [Action]) -> Bool {
    actions.contains { namesake(of: $0.peer) != nil }
  }
}

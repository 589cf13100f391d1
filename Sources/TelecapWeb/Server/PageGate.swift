import TelecapRecording
import TelecapTransport

/// Who gets in: who knows the token, and speaks to us by our own name. A page of somebody else in the same browser could
/// reach a loopback address by a name of its own (DNS rebinding): its `Host` tells, and its `Origin`.
struct PageGate: Sendable {
  /// Stands first in every path.
  let token: String
  /// What `Host` may say: `127.0.0.1:8080`.
  let hosts: Set<String>
  /// Whether there is something that a page changes: by POST, which only a page of our own sends.
  var takesChanges = false
  /// Where it listens on all addresses of the machine, at this port: any address will do then, written in numbers. Nobody
  /// else's name can lead to it, since it is no name.
  var port: UInt16?

  /// Whether a host is one of ours.
  private func isOwn(_ host: String) -> Bool {
    if hosts.contains(host) { return true }
    guard let port, let end = try? HostPort(parsing: host) else { return false }
    return end.port == port && IPAddress(end.host) != nil
  }

  /// The rest of the path for who gets in.
  enum Decision: Equatable, Sendable {
    case pass([String])
    case refuse(PageAnswer)
  }

  func decide(_ request: PageRequest) -> Decision {
    guard let host = request.host, isOwn(host.lowercased()) else {
      return .refuse(.problem(403, "This host's name is not one of telecap's."))
    }
    if let origin = request.origin?.lowercased(),
      !(origin.hasPrefix("http://") && isOwn(String(origin.dropFirst("http://".count))))
    {
      return .refuse(.problem(403, "A page of another origin asks."))
    }
    guard ["GET", "HEAD"].contains(request.method) || takesChanges && request.method == "POST" else {
      return .refuse(.problem(405, "Nothing can be changed here."))
    }
    // A browser names the page that sends a form; who does not is none of ours.
    if request.method == "POST", request.origin == nil {
      return .refuse(.problem(403, "Changes come from telecap's own page, which Origin names."))
    }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    guard let first = parts.first, PageGate.isSame(first, token) else {
      return .refuse(.problem(404, "Nothing is here. telecap view prints the address with its token."))
    }
    return .pass(Array(parts.dropFirst()))
  }

  /// A token that nobody guesses: 128 bits of the system's random numbers.
  static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in Hex.text(random.next() as UInt64, digits: 16) }.joined()
  }

  /// Compares in a time that does not tell how much is right.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

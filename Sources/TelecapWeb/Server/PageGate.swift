import TelecapRecording
import TelecapTransport

/// Access control: accepts requests with the token and one of our host names. A foreign page in the same browser could
/// reach a loopback address with its own host name (DNS rebinding), so `Host` and `Origin` are checked.
struct PageGate: Sendable {
  /// The first component of every path.
  let token: String
  /// The accepted values of `Host`: `127.0.0.1:8080`.
  let hosts: Set<String>
  /// Whether a page can change something, by POST, which only our own pages may send.
  var takesChanges = false
  /// The port, if the server listens on all addresses of the machine: then any numeric address is accepted. That is
  /// safe, because DNS rebinding needs a name.
  var port: UInt16?

  /// Whether a host is one of ours.
  private func isOwn(_ host: String) -> Bool {
    if hosts.contains(host) { return true }
    guard let port, let end = try? HostPort(parsing: host) else { return false }
    return end.port == port && IPAddress(end.host) != nil
  }

  /// The decision on a request; an accepted one has the rest of its path.
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
    // A browser sends Origin with a form, so a form without it is not from our page.
    if request.method == "POST", request.origin == nil {
      return .refuse(.problem(403, "Changes come from telecap's own page, which Origin names."))
    }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    guard let first = parts.first, PageGate.isSame(first, token) else {
      return .refuse(.problem(404, "Nothing is here. telecap view prints the address with its token."))
    }
    return .pass(Array(parts.dropFirst()))
  }

  /// A new token that cannot be guessed: 128 random bits of the system.
  static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in Hex.text(random.next() as UInt64, digits: 16) }.joined()
  }

  /// Compares in constant time, so that the time does not reveal how much is right.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

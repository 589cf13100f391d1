import Testing

@testable import TelecapWeb

/// The requests that are accepted, and those that are not.
@Suite struct PageGateTests {
  private static let token = "0123456789abcdef0123456789abcdef"
  private static let gate = PageGate(token: token, hosts: ["127.0.0.1:8080", "localhost:8080"])

  private static func status(_ request: PageRequest) -> Int {
    if case .refuse(let answer) = gate.decide(request) { answer.status } else { 200 }
  }

  @Test("A request with the token and our host name is accepted")
  func passes() {
    let request = PageRequest(path: "/\(Self.token)/0/packets", host: "localhost:8080", origin: "http://localhost:8080")
    #expect(Self.gate.decide(request) == .pass(["0", "packets"]))
    #expect(
      Self.gate.decide(PageRequest(method: "HEAD", path: "/\(Self.token)/", host: "127.0.0.1:8080")) == .pass([""]))
  }

  @Test(
    "Any other request is rejected",
    arguments: [
      // A name of somebody else that leads to loopback, and none at all.
      (PageRequest(path: "/\(token)/0/", host: "evil.example:8080"), 403),
      (PageRequest(path: "/\(token)/0/", host: "127.0.0.1:8081"), 403), (PageRequest(path: "/\(token)/0/"), 403),
      (PageRequest(path: "/\(token)/0/", host: "127.0.0.1:8080", origin: "https://evil.example"), 403),
      (PageRequest(path: "/\(token)/0/", host: "127.0.0.1:8080", origin: "null"), 403),
      (PageRequest(method: "POST", path: "/\(token)/0/", host: "127.0.0.1:8080"), 405),
      (PageRequest(path: "/", host: "127.0.0.1:8080"), 404), (PageRequest(path: "/0/", host: "127.0.0.1:8080"), 404),
      (PageRequest(path: "/\(token.dropLast())0/0/", host: "127.0.0.1:8080"), 404),
      (PageRequest(path: "/\(token)0/0/", host: "127.0.0.1:8080"), 404),
      (PageRequest(path: "/../\(token)/0/", host: "127.0.0.1:8080"), 404),
    ])
  func refuses(_ request: PageRequest, _ status: Int) { #expect(Self.status(request) == status) }

  @Test("If pages can change something, only requests from our own pages do")
  func changes() {
    let gate = PageGate(token: Self.token, hosts: ["h"], takesChanges: true)
    func status(_ method: String, _ origin: String?) -> Int {
      let request = PageRequest(method: method, path: "/\(Self.token)/0/network", host: "h", origin: origin)
      if case .refuse(let answer) = gate.decide(request) { return answer.status }
      return 200
    }
    #expect(status("POST", "http://h") == 200 && status("DELETE", "http://h") == 405)
    #expect(status("POST", nil) == 403 && status("POST", "null") == 403 && status("POST", "http://evil.example") == 403)
  }

  @Test("On all interfaces, any address with our port is accepted, and no host name")
  func wildcard() {
    let gate = PageGate(token: Self.token, hosts: ["127.0.0.1:8080"], port: 8080)
    func passes(_ host: String, _ origin: String? = nil) -> Bool {
      if case .pass = gate.decide(PageRequest(path: "/\(Self.token)/0/", host: host, origin: origin)) { return true }
      return false
    }
    #expect(passes("192.0.2.7:8080") && passes("[2001:db8::1]:8080", "http://192.0.2.7:8080"))
    for host in ["evil.example:8080", "192.0.2.7:8081", "192.0.2.7", "192.0.2.7.evil.example:8080", "localhost:8080"] {
      #expect(!passes(host), "\(host)")
    }
    #expect(!passes("192.0.2.7:8080", "http://evil.example:8080") && !passes("192.0.2.7:8080", "null"))
    #expect(Self.status(PageRequest(path: "/\(Self.token)/0/", host: "192.0.2.7:8080")) == 403)
  }

  @Test("A token has 128 bits and is new each time")
  func tokens() {
    let tokens = Set((0..<100).map { _ in PageGate.newToken() })
    #expect(tokens.count == 100 && tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }
}

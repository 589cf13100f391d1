import NIOPosix
import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapText
import TelecapWire

/// A running system that telecap did not start, tested by its traffic only: `udp://HOST:PORT?role=host&code=ABC123`.
/// Checks that need more are inconclusive.
public struct WireSystem: SystemUnderTest {
  public let name: String
  let role: Role
  public var parts: Set<Part> { [Part(role)] }
  private let place: SystemAddresses
  public let code: String?
  private let sendsHaptics: Bool
  private let stop: StopFlag
  private let expiry: SessionExpiry

  /// The pause after a run, in ns, in which a host handles BYE and closes its session.
  static let pause: Duration = .milliseconds(100)

  /// Parses `udp://HOST:PORT?role=host&code=ABC123`, with `tcp=PORT` for TCP, and `haptics=yes` for a host that sends
  /// HAPTIC. For a phone HOST:PORT is its destination, on this machine.
  ///
  /// - Parameter roles: the possible roles.
  /// - Throws: `SystemNameError` with the problem and the probable meaning; `ResolutionError` where the host has no
  ///   address.
  public init(parsing text: String, among roles: [Role], stop: StopFlag = StopFlag()) throws {
    guard text.hasPrefix("udp://") else { throw SystemNameError("\"\(text)\" is no udp://HOST:PORT?role=host") }
    let parts = text.dropFirst(6).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let options = try WireSystem.options(parts.count > 1 ? parts[1] : "", of: text)
    let role = try WireSystem.role(options["role"], among: roles, of: text)
    try WireSystem.check(options, role, of: text)
    let udp = try WireSystem.end(String(parts[0]), of: text)
    let tcp = try options["tcp"].map { try WireSystem.port($0, text) }
    place = SystemAddresses(udp: udp, tcp: tcp.map { Endpoint(udp.address, port: $0) })
    name = text
    self.role = role
    code = options["code"]
    sendsHaptics = options["haptics"] == "yes"
    self.stop = stop
    expiry = SessionExpiry(of: Part(role), by: SystemMonotonicClock.shared, stop: stop)
  }

  private static func role(_ word: String?, among roles: [Role], of text: String) throws(SystemNameError) -> Role {
    let names = roles.map(\.name)
    guard let word else {
      throw SystemNameError("\(text) does not say what it is: add ?role=\(names.list(or: true))")
    }
    if let role = roles.first(where: { $0.name == word }) { return role }
    let meant = Spelling.nearest(to: word, among: names).map { "did you mean \($0)?" }
    throw SystemNameError("\(text): no role \"\(word)\"; \(meant ?? "there are \(names.list(or: false))")")
  }

  /// Throws where an option has an invalid value, or no effect for this role.
  private static func check(_ options: [String: String], _ role: Role, of text: String) throws(SystemNameError) {
    if let code = options["code"] {
      if role != .host, role != .phone { throw SystemNameError("\(text): a \(role) has no code; leave it out") }
      guard code.utf8.count == PairingCode.size, code.utf8.allSatisfy(PairingCode.isAllowed) else {
        throw SystemNameError("\(text): a code has six characters of A–Z and 0–9")
      }
    }
    if let word = options["haptics"] {
      if role != .host { throw SystemNameError("\(text): a \(role) sends no HAPTIC; leave haptics out") }
      guard ["yes", "no"].contains(word) else { throw SystemNameError("\(text): haptics is yes or no") }
    }
    if options["tcp"] != nil, !role.owner.ports.contains(where: { $0.carrier == .tcp }) {
      throw SystemNameError("\(text): a \(role) speaks no TCP; leave tcp out")
    }
  }

  /// The address at which it listens, or to which it sends if it speaks first.
  private static func end(_ text: String, of whole: String) throws -> Endpoint {
    let named: HostPort
    do throws(HostPortError) {
      named = try HostPort(parsing: text)
    } catch {
      throw SystemNameError("\(whole): \(error)")
    }
    // A host without an address is an error, so there is one.
    return try named.resolve()[0]
  }

  private static func options(_ query: Substring, of text: String) throws(SystemNameError) -> [String: String] {
    let known = ["role", "code", "tcp", "haptics"]
    var options: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let words = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard words.count == 2, known.contains(words[0]) else {
        let meant = words.first.flatMap { Spelling.nearest(to: $0, among: known) }
        let advice = meant.map { "did you mean \($0)=…?" } ?? "it has \(known.joined(separator: ", "))"
        throw SystemNameError("\(text): unknown option \"\(pair)\"; \(advice)")
      }
      guard options.updateValue(words[1], forKey: words[0]) == nil else {
        throw SystemNameError("\(text): \(words[0]) is given twice")
      }
    }
    return options
  }

  private static func port(_ text: String, _ whole: String) throws(SystemNameError) -> UInt16 {
    guard let port = UInt16(text), port > 0 else { throw SystemNameError("\(whole): \"\(text)\" is no port") }
    return port
  }

  public var pauseBetweenRuns: Nanoseconds? { expiry.time }

  public var standsAlone: String? { "it is one program, which somebody else started" }

  public func unsupported(_ setup: Setup, actions: [Action]) -> String? {
    if setup.part != Part(role) { return "it is a \(role), not a \(setup.part)" }
    if setup.carrier == .ble { return SystemFile.noBluetooth }
    if place.tcp == nil, setup.carrier == .tcp || actions.contains(where: { $0.carrier == .tcp }) {
      return "no tcp=PORT was given"
    }
    if setup.sendsHaptics, !sendsHaptics { return "it was not said that it sends HAPTIC: add &haptics=yes" }
    if setup.leaves { return "nobody here can ask it to end" }
    if setup.playsImpacts { return "impacts do not show on the wire" }
    if actions.contains(where: \.isAsking) { return "nobody can press its buttons" }
    return SecondLoopback.problem(actions, towards: place.udp)
  }

  /// Checks that the ports of a host are open, since its silence would count as missing answers. A system that speaks
  /// first is waited for in each run.
  public func check() async throws -> SystemCheck? {
    if role.side == .client { return nil }
    let (place, name) = (place, name)
    let problem = try await RunThreads.run { () -> String? in
      let ends = try PeerEnds(
        speaksFirst: false, udp: place.udp, tcp: place.tcp, peers: ["a"], policy: DestinationPolicy(.anyHost))
      if let udp = place.udp, !ends.isPortOpen() { return "\(name): nobody listens at UDP \(udp)" }
      guard let tcp = place.tcp else { return nil as String? }
      do {
        try ends.connect("a")
        return nil
      } catch is SocketError {
        return "\(name): nobody listens at TCP \(tcp)"
      }
    }
    if let problem { throw SystemError(problem) }
    return nil
  }

  public func run(_ script: Script) async throws -> RunLog {
    let script = code.map { script.replacingCode(with: $0) } ?? script
    let (place, role, stop) = (place, role, stop)
    await expiry.wait()
    // Also after a run that failed: its session may be open.
    defer { expiry.begin() }
    do {
      let log = try await RunThreads.run {
        let speaksFirst = role.side == .client
        let ends = try PeerEnds(
          speaksFirst: speaksFirst, udp: place.udp, tcp: place.tcp, peers: Set(script.meant.map(\.peer)).sorted(),
          policy: DestinationPolicy(.anyHost))
        let none = WallClockRun.Watch()
        if speaksFirst,
          let reason = Readiness.wait(
            for: .speaks, withinNanoseconds: 10_000_000_000, ends, tcp: place.tcp, none, stop: stop)
        {
          throw SystemError(reason)
        }
        let run = WallClockRun(script, ends, none, shows: [], stop: stop)
        defer { run.leave() }
        return try run.run()
      }
      if stop.isRaised { throw CancellationError() }
      try await Task.sleep(for: WireSystem.pause)
      return log
    } catch let error as CancellationError {
      throw error
    } catch {
      throw error as? SystemError ?? SystemError("\(name): \(error)")
    }
  }
}

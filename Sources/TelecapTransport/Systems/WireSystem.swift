import NIOPosix
import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// A system that somebody else started, observed on the wire only: `udp://HOST:PORT?role=host&code=ABC123`. Checks that
/// need more are inconclusive.
public struct WireSystem: SystemUnderTest {
  public let name: String
  let role: Role
  public var parts: Set<Part> { [Part(role)] }
  private let place: RunPlace
  private let code: String?
  private let sendsHaptics: Bool
  private let stop: StopFlag

  /// How long it is left in peace after a run, in ns: a host that takes BYE has closed its session.
  static let pause: Duration = .milliseconds(100)

  /// Reads `udp://HOST:PORT?role=host&code=ABC123`; also `tcp=PORT` where TCP is spoken, and `haptics=yes` for a host
  /// that sends HAPTIC. Of a phone HOST:PORT is where it sends to, on this machine.
  ///
  /// - Parameter roles: which it can play.
  /// - Throws: `SystemError`, which says what is wrong and what was probably meant.
  public init(parsing text: String, among roles: [Role], stop: StopFlag = StopFlag()) throws(SystemError) {
    guard text.hasPrefix("udp://") else { throw SystemError("\"\(text)\" is no udp://HOST:PORT?role=host") }
    let parts = text.dropFirst(6).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let options = try WireSystem.options(parts.count > 1 ? parts[1] : "", of: text)
    guard let word = options["role"] else {
      throw SystemError("\(text) does not say what it is: add ?role=host, phone or mouse-host")
    }
    guard let role = roles.first(where: { $0.name == word }) else {
      let names = roles.map(\.name)
      let meant = Spelling.nearest(to: word, among: names)
      let advice =
        meant.map { "did you mean \($0)?" }
        ?? "there are \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "none")"
      throw SystemError("\(text): no role \"\(word)\"; \(advice)")
    }
    do {
      let end = try HostPort(parsing: String(parts[0]))
      guard end.port != nil, let udp = try end.resolve().first else {
        throw SystemError("\(text) names no port: write udp://HOST:PORT")
      }
      let tcp = try options["tcp"].map { try WireSystem.port($0, text) }
      place = RunPlace(udp: udp, tcp: tcp.map { Endpoint(udp.address, port: $0) })
    } catch {
      throw error as? SystemError ?? SystemError("\(text): \(error)")
    }
    if let code = options["code"], code.utf8.count != 6 { throw SystemError("\(text): a code has six characters") }
    name = text
    self.role = role
    code = options["code"]
    sendsHaptics = options["haptics"] == "yes"
    self.stop = stop
  }

  private static func options(_ query: Substring, of text: String) throws(SystemError) -> [String: String] {
    let known = ["role", "code", "tcp", "haptics"]
    var options: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let words = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard words.count == 2, known.contains(words[0]) else {
        let meant = words.first.flatMap { Spelling.nearest(to: $0, among: known) }
        let advice = meant.map { "did you mean \($0)=…?" } ?? "it has \(known.joined(separator: ", "))"
        throw SystemError("\(text): unknown option \"\(pair)\"; \(advice)")
      }
      options[words[0]] = words[1]
    }
    return options
  }

  private static func port(_ text: String, _ whole: String) throws(SystemError) -> UInt16 {
    guard let port = UInt16(text), port > 0 else { throw SystemError("\(whole): \"\(text)\" is no port") }
    return port
  }

  public func unsupported(_ setup: Setup, actions: [Action]) -> String? {
    if setup.part != Part(role) { return "it is a \(role), not a \(setup.part)" }
    if place.tcp == nil, setup.carrier == .tcp || actions.contains(where: { $0.carrier == .tcp }) {
      return "no tcp=PORT was given"
    }
    if setup.sendsHaptics, !sendsHaptics { return "it was not said that it sends HAPTIC: add &haptics=yes" }
    if setup.playsImpacts { return "impacts do not show on the wire" }
    if actions.contains(where: \.isAsking) { return "nobody can press its buttons" }
    return nil
  }

  public func run(_ script: Script) async throws -> RunLog {
    let script = code.map { script.replacingCode(with: $0) } ?? script
    let (place, role, stop) = (place, role, stop)
    do {
      let log = try await NIOThreadPool.singleton.runIfActive {
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
        let log = try run.run()
        try run.leave()
        return log
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

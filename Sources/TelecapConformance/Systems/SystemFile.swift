import TelecapModels
import TelecapRecording
import TelecapWire

/// A real program as a system under test: how it is started, how it is spoken to, and how it shows what it does.
public struct SystemFile: Sendable {
  /// How a person names it.
  public var name: String
  /// Its part.
  public var part: Part
  /// The command and its arguments, and more of them for what a scenario needs.
  public var command: [String]
  /// What is added to the command for what a scenario needs; a need that is not named is one that it does not meet.
  public var arguments: [Need: [String]]
  /// Variables of its environment, beside those that it inherits.
  public var environment: [String: String]
  /// Where it runs: relative to the file.
  public var directory: String
  /// How it is known to be ready.
  public var readiness: Readiness
  /// How long it may take to be ready, in ns.
  public var readyWithin: Nanoseconds
  /// Where a host takes datagrams, or where a phone is told to send them; nil when it speaks no UDP.
  public var udp: Address?
  /// The same for TCP.
  public var tcp: Address?
  /// The code that it shows or sends; nil when it is told the scenario's by `$CODE`, or takes any.
  public var code: String?
  /// It is started once and kept for all scenarios.
  public var isReused: Bool
  /// How it is asked to end.
  public var ending: Ending
  /// How long it may take to end when asked, in ns.
  public var endsWithin: Nanoseconds
  /// A run in which it prints more bytes than this is a flood.
  public var outputLimit: Int
  /// Where it shows what it does.
  public var sources: [Source]
  /// How it writes that.
  public var format = LineFormat.lines
  /// What its events are.
  public var rules: [EventRule]
  /// The file, as errors name it.
  public var file: String
  /// How it is made to do what a user does, for each action that it knows.
  public var does: [String: ActionBinding] = [:]
  /// It takes requests at a free port, which is told to it.
  public var takesRequests = false
  /// What it says of the system that its suite judges it by.
  public var said = SetupOptions()

  /// What a scenario may need.
  public enum Need: String, Sendable, CaseIterable {
    /// TELE over UDP.
    case udp
    /// TELE over TCP.
    case tcp
    /// The host has forces to send.
    case haptics
    /// The host has no forces to send.
    case quiet
    /// The phone plays impacts.
    case impacts
  }

  /// How a program is known to be ready.
  public enum Readiness: Hashable, Sendable {
    /// A line that holds this text, on stdout or stderr.
    case line(String)
    /// Its port is open.
    case port(Carrier)
    /// It has sent its first message.
    case speaks
    /// So many ns after its start.
    case delay(Nanoseconds)
  }

  /// Where a system is, or we are.
  public enum Address: Hashable, Sendable {
    /// A free port of the loopback address, told to the program by `$UDP` or `$TCP`.
    case free
    /// This host and port.
    case fixed(String)
  }

  /// How a program is asked to end.
  public enum Ending: String, Sendable, CaseIterable {
    /// SIGTERM.
    case term
    /// SIGINT, as by Ctrl-C.
    case int
    /// SIGKILL.
    case kill
  }

  /// Where a program shows what it does, in lines.
  public enum Source: Hashable, Sendable {
    /// On its standard output.
    case stdout
    /// On its standard error.
    case stderr
    /// In a file that it appends to: relative to its directory.
    case file(String)
    /// In datagrams to this port of the loopback address; 0 is a free one, told by `$EVENTS`.
    case udp(UInt16)
  }

  /// Why its runs cannot go side by side: what they share; nil where each has all for itself.
  public var standsAlone: String? {
    if isReused { return "it is started once (reuse)" }
    for case .fixed(let address) in [udp, tcp].compactMap(\.self) { return "its address is fixed (\(address))" }
    for source in sources {
      switch source {
      case .file(let path): return "all its runs show what they do in one file (\(path))"
      case .udp(let port) where port != 0: return "all its runs show what they do at one port (\(port))"
      default: continue
      }
    }
    return nil
  }

  /// What it shows, by its rules.
  public var aspects: Set<Observable> {
    let kinds = Set(rules.map(\.kind))
    var aspects = rules.reduce(into: Set<Observable>()) { $0.formUnion($1.aspects) }
    if !kinds.isSuperset(of: [.sessionOpened, .sessionClosed]) { aspects.remove(.sessions) }
    return aspects
  }

  /// Why it cannot do what a scenario needs; nil when it can.
  public func unsupported(_ setup: Setup, actions: [Action]) -> String? {
    if setup.part != part { return "it is a \(part), not a \(setup.part)" }
    // A device is told all that happens, and no wire leads to it.
    if part.program != nil { return nil }
    if setup.carrier == .ble { return SystemFile.noBluetooth }
    let carriers = Set(actions.compactMap(\.carrier)).union(
      part.role?.owner.mixesCarriers == false ? [setup.carrier] : [])
    if carriers.contains(.udp), udp == nil { return "it speaks no UDP: its file names no address for it" }
    if carriers.contains(.tcp), tcp == nil { return "it speaks no TCP: its file names no address for it" }
    if setup.sendsHaptics, arguments[.haptics] == nil { return "its file does not say how it sends HAPTIC" }
    if setup.playsImpacts, arguments[.impacts] == nil { return "its file does not say how it plays impacts" }
    if setup.leaves, ending == .kill || isReused { return "its file does not let it end in an orderly way" }
    for action in actions {
      guard case .ask(let deed) = action.work, does[deed.name] == nil else { continue }
      if !does.isEmpty, deed.name.isEmpty {
        return "nothing shows here what a program does when asked to \(deed.words)"
      }
      return does.isEmpty ? "nobody can press its buttons" : "its file does not say how to make it \(deed.words)"
    }
    return nil
  }

  /// Why no program is spoken to over Bluetooth.
  public static let noBluetooth = "telecap has no Bluetooth to send over"

  /// The command for what a scenario needs. Who can send forces sends them in every run: each of them is judged.
  public func command(for setup: Setup) -> [String] {
    var needs: [Need] = [setup.carrier == .udp ? .udp : .tcp, arguments[.haptics] == nil ? .quiet : .haptics]
    if setup.playsImpacts { needs.append(.impacts) }
    return command + needs.flatMap { arguments[$0] ?? [] }
  }
}

extension Action {
  /// What carries it; nil where nothing does.
  public var carrier: Carrier? {
    switch work {
    case .send(_, let carrier), .endSession(let carrier): carrier
    case .open, .close, .reset: .tcp
    case .ask: nil
    }
  }

  /// It is a deed of the system's user.
  public var isAsking: Bool {
    if case .ask = work { return true }
    return false
  }
}

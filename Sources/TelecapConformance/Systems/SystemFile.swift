import TelecapModels
import TelecapRecording
import TelecapWire

/// A real program as a system under test: its start, its addresses and its output mapping.
public struct SystemFile: Sendable {
  /// Its name for a person.
  public var name: String
  /// Its part.
  public var part: Part
  /// The command and its arguments.
  public var command: [String]
  /// Arguments added to the command for the needs of a scenario; a missing need is not supported.
  public var arguments: [Need: [String]]
  /// Variables added to its environment.
  public var environment: [String: String]
  /// Its working directory, relative to the file.
  public var directory: String
  /// The sign that it is ready.
  public var readiness: Readiness
  /// The maximum time until it is ready, in ns.
  public var readyWithin: Nanoseconds
  /// The address at which a host receives datagrams, or to which a phone sends them; nil without UDP.
  public var udp: Address?
  /// The address for TCP.
  public var tcp: Address?
  /// The code that it shows or sends; nil where it gets the scenario's as `$CODE`, or accepts any.
  public var code: String?
  /// Whether it is started once for all scenarios.
  public var isReused: Bool
  /// The signal with which it is asked to exit.
  public var ending: Ending
  /// The maximum time until it exits after that, in ns.
  public var endsWithin: Nanoseconds
  /// The maximum number of bytes of output in a run; more is a flood.
  public var outputLimit: Int
  /// The sources of its output.
  public var sources: [Source]
  /// The format of its output.
  public var format = LineFormat.lines
  /// The rules for its events.
  public var rules: [EventRule]
  /// The name of the file in errors.
  public var file: String
  /// How to perform the actions of a user, by the names of supported ones.
  public var actionBindings: [String: ActionBinding] = [:]
  /// Whether it receives requests at a free port, passed to it as `$HTTP`.
  public var takesRequests = false
  /// The options that it declares for its suite.
  public var said = SetupOptions()

  /// The needs of a scenario.
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

  /// The sign that a program is ready.
  public enum Readiness: Hashable, Sendable {
    /// A line on stdout or stderr with this text.
    case line(String)
    /// Its port is open.
    case port(Carrier)
    /// It has sent its first message.
    case speaks
    /// This time after its start, in ns.
    case delay(Nanoseconds)
  }

  /// The address of a system, or of telecap.
  public enum Address: Hashable, Sendable {
    /// A free port of the loopback address, passed to the program as `$UDP` or `$TCP`.
    case free
    /// This host and port.
    case fixed(String)
  }

  /// The signal that asks a program to exit.
  public enum Ending: String, Sendable, CaseIterable {
    /// SIGTERM.
    case term
    /// SIGINT, as by Ctrl-C.
    case int
    /// SIGKILL.
    case kill
  }

  /// A source of output lines.
  public enum Source: Hashable, Sendable {
    /// On its standard output.
    case stdout
    /// On its standard error.
    case stderr
    /// A file that it appends to, relative to its directory.
    case file(String)
    /// Datagrams to this port of the loopback address; 0 is a free port, passed as `$EVENTS`.
    case udp(UInt16)
  }

  /// The reason why its runs cannot be parallel, a shared resource; nil where each has its own.
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

  /// The observables of its rules.
  public var aspects: Set<Observable> {
    let kinds = Set(rules.map(\.kind))
    var aspects = rules.reduce(into: Set<Observable>()) { $0.formUnion($1.aspects) }
    if !kinds.isSuperset(of: [.sessionOpened, .sessionClosed]) { aspects.remove(.sessions) }
    return aspects
  }

  /// The reason why it does not support a scenario; nil where it does.
  public func unsupported(_ setup: Setup, actions: [Action]) -> String? {
    if setup.part != part { return "it is a \(part), not a \(setup.part)" }
    // A device gets all input from telecap, without a network.
    if part.program != nil { return nil }
    if setup.carrier == .ble { return SystemFile.noBluetooth }
    let carriers = Set(actions.compactMap(\.carrier)).union(
      part.role?.owner.mixesCarriers == false ? [setup.carrier] : [])
    if carriers.contains(.udp), udp == nil { return "it speaks no UDP: its file names no address for it" }
    if carriers.contains(.tcp), tcp == nil { return "it speaks no TCP: its file names no address for it" }
    if setup.sendsHaptics, arguments[.haptics] == nil { return "its file does not say how it sends HAPTIC" }
    if setup.playsImpacts, arguments[.impacts] == nil { return "its file does not say how it plays impacts" }
    if setup.leaves, ending == .kill || isReused { return "its file declares no orderly end" }
    for action in actions {
      guard case .ask(let deed) = action.work, actionBindings[deed.name] == nil else { continue }
      if !actionBindings.isEmpty, deed.name.isEmpty {
        return "nothing shows here what a program does when asked to \(deed.words)"
      }
      return actionBindings.isEmpty
        ? "nobody can press its buttons" : "its file does not say how to make it \(deed.words)"
    }
    return nil
  }

  /// The reason why no program is tested over Bluetooth.
  public static let noBluetooth = "telecap has no Bluetooth to send over"

  /// The command for the needs of a scenario. A program that can send forces sends them in every run, since each run
  /// checks them.
  public func command(for setup: Setup) -> [String] {
    var needs: [Need] = [setup.carrier == .udp ? .udp : .tcp, arguments[.haptics] == nil ? .quiet : .haptics]
    if setup.playsImpacts { needs.append(.impacts) }
    return command + needs.flatMap { arguments[$0] ?? [] }
  }
}

extension Action {
  /// Its transport; nil where it needs none.
  public var carrier: Carrier? {
    switch work {
    case .send(_, let carrier), .endSession(let carrier): carrier
    case .open, .close, .reset: .tcp
    case .ask: nil
    }
  }

  /// Whether it is an action of the system's user.
  public var isAsking: Bool {
    if case .ask = work { return true }
    return false
  }
}

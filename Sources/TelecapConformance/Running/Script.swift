import TelecapImpairment
import TelecapModels
import TelecapRecording

/// A peer of the system under test, by its name in a scenario: `a`, `b`, `host`.
public typealias PeerName = String

/// A timed action on the system under test.
public struct Action: Sendable {
  /// The kinds of action.
  public enum Work: Sendable {
    /// Sends a datagram, or over TCP the next segment. Over TCP a missing connection is opened first.
    case send([UInt8], over: Carrier)
    /// Opens a TCP connection without sending.
    case open
    /// Closes the peer's TCP connection.
    case close
    /// Resets the peer's TCP connection.
    case reset
    /// Sends the message that closes the last requested session: only the `responder` knows its id.
    case endSession(over: Carrier)
    /// Performs an action of the system's user.
    case ask(any UserAction)
  }

  /// The due time, since the start of the run.
  public var time: Timestamp
  /// The peer that performs it.
  public var peer: PeerName
  /// The kind of action.
  public var work: Work
  /// The index of the packet in the scenario, from 1; 0 for other actions.
  public var packet: Int
  /// The time at which it would be sent over a perfect network.
  public var sentAt: Timestamp
  /// The index of its step in the scenario, from 0.
  public var step: Int

  /// An action with these values.
  public init(time: Timestamp, peer: PeerName, work: Work, packet: Int = 0, sentAt: Timestamp? = nil, step: Int = 0) {
    self.time = time
    self.peer = peer
    self.work = work
    self.packet = packet
    self.sentAt = sentAt ?? time
    self.step = step
  }
}

/// All actions of a run, decided before it begins: pure data, the same in virtual time and over sockets. The
/// `responder` makes the answers of the other side, which depend on the run.
public struct Script: Sendable {
  /// The longest pause of a recording, in ns: 30 days. The timers of models run in a pause, and a damaged timestamp
  /// could make it 260 years.
  public static let longestStandstill: Nanoseconds = 30 * 86_400_000_000_000

  /// The actions in order of time.
  public var actions: [Action]
  /// The packets before impairment, in order of time.
  public var meant: [Action]
  /// The decisions of the network: one line for each packet of `meant`.
  public var plan: [PlanLine]
  /// The answers of the other side.
  public var responder: Responder
  /// The setup of the system.
  public var setup: Setup
  /// The end of the run.
  public var end: Timestamp

  /// A script with these parts.
  public init(
    actions: [Action], meant: [Action], plan: [PlanLine], responder: Responder, setup: Setup, end: Timestamp
  ) {
    self.actions = actions
    self.meant = meant
    self.plan = plan
    self.responder = responder
    self.setup = setup
    self.end = end
  }
}

/// The setup that a scenario needs from the system under test.
public struct Setup: Sendable {
  /// The part of the system.
  public var part: Part
  /// The code that a host shows and a phone sends.
  public var code: String
  /// The transport: for TELE, UDP is udp-v1 and TCP is tcp-v1. A mouse uses both.
  public var carrier: Carrier
  /// The host to which a client connects.
  public var host = VirtualAddresses.host
  /// Whether a host has forces to send as HAPTIC.
  public var sendsHaptics: Bool
  /// Whether a phone plays impacts in place of a continuous output.
  public var playsImpacts: Bool
  /// Whether the system is asked to exit at the end of the run, and its last messages are kept.
  public var leaves = false
  /// The seed of the case, also for random choices of a model.
  public var seed: UInt64 = 1
  /// Options of suites.
  private var options = SetupOptions()

  /// The default code of a run.
  public static let defaultCode = "ABC123"

  /// A setup with these values.
  public init(
    part: Part, code: String = Setup.defaultCode, carrier: Carrier = .udp, sendsHaptics: Bool = false,
    playsImpacts: Bool = false
  ) {
    self.part = part
    self.code = code
    self.carrier = carrier
    self.sendsHaptics = sendsHaptics
    self.playsImpacts = playsImpacts
  }

  /// The value of a suite's option.
  public subscript<Option: SetupOption>(option: Option.Type) -> Option.Value {
    get { options[option] }
    set { options[option] = newValue }
  }
}

import TelecapImpairment
import TelecapModels
import TelecapRecording

/// One end that talks to the system under test, by the name that a scenario gives it: `a`, `b`, `host`.
public typealias PeerName = String

/// One thing that is done to the system under test, at its time.
public struct Action: Sendable {
  /// What is done.
  public enum Work: Sendable {
    /// A datagram, or over TCP the next piece of the stream. Over TCP the connection is opened first where it is not.
    case send([UInt8], over: Carrier)
    /// The peer opens a TCP connection, for which nothing is sent yet.
    case open
    /// The peer closes its TCP connection.
    case close
    /// The peer resets its TCP connection.
    case reset
    /// The peer sends what closes the session that the system asked for last: only the `responder` knows its name.
    case endSession(over: Carrier)
    /// The user of the system does something.
    case ask(any UserAction)
  }

  /// When it is due, since the start of the run.
  public var time: Timestamp
  /// Who does it.
  public var peer: PeerName
  /// What is done.
  public var work: Work
  /// The number of the packet in the scenario, from 1; 0 for what is no packet.
  public var packet: Int
  /// When it would have been sent over a perfect network.
  public var sentAt: Timestamp
  /// Which of the scenario's steps it belongs to, from 0.
  public var step: Int

  /// An action of these values.
  public init(time: Timestamp, peer: PeerName, work: Work, packet: Int = 0, sentAt: Timestamp? = nil, step: Int = 0) {
    self.time = time
    self.peer = peer
    self.work = work
    self.packet = packet
    self.sentAt = sentAt ?? time
    self.step = step
  }
}

/// All that is to be done in one run, decided before it begins: pure data, the same in virtual time and over sockets.
/// What cannot be decided before, the answers of the other side, the `responder` gives.
public struct Script: Sendable {
  /// A recording may stand still for so long, in ns: 30 days. Models have their timers meanwhile, many in each second, and nobody waits
  /// for the 260 years to a packet with a damaged time.
  public static let longestStandstill: Nanoseconds = 30 * 86_400_000_000_000

  /// In order of time.
  public var actions: [Action]
  /// What was meant to be sent, before the network took its share; in order of time.
  public var meant: [Action]
  /// What the network did: one line for each packet of `meant`.
  public var plan: [PlanLine]
  /// What the other side answers.
  public var responder: Responder
  /// How the system is to be set up.
  public var setup: Setup
  /// When the run ends.
  public var end: Timestamp

  /// A script of these parts.
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

/// What a scenario needs the system under test to be set up with.
public struct Setup: Sendable {
  /// The part that the system plays.
  public var part: Part
  /// The code that a host shows and a phone sends.
  public var code: String
  /// What carries TELE: UDP is udp-v1, TCP is tcp-v1. A mouse uses both.
  public var carrier: Carrier
  /// The host that a client talks to.
  public var host = VirtualAddresses.host
  /// A host has forces to send as HAPTIC.
  public var sendsHaptics: Bool
  /// A phone plays impacts in place of a continuous output.
  public var playsImpacts: Bool
  /// At the run's end the system is asked to end in an orderly way, and what it then sends is kept.
  public var leaves = false
  /// The seed of the case: what is random in a model goes by it.
  public var seed: UInt64 = 1
  /// What suites set a system up with.
  private var options = SetupOptions()

  /// The code of a run where nobody says another.
  public static let defaultCode = "ABC123"

  /// A set-up of these values.
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

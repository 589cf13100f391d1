import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording

/// A kind of behaviour that a system under test shows outside its traffic. A check that needs one that is not shown is
/// inconclusive.
public enum Observable: Hashable, Sendable {
  /// The applied values of the stream of this name.
  case stream(String)
  /// The start and end of its sessions.
  case sessions
  /// Another note of its protocol.
  case note(NoteKind)
  /// The output of a device, as text.
  case tellings
}

/// The events of one run in order of time: deliveries to the system and its output. All verdicts and reports are
/// computed from it.
public struct RunLog: Sendable {
  /// An event, with peers by name.
  public typealias What = LogEntry<PeerName, [UInt8]>

  /// An event and its time, since the start of the run.
  public struct Entry: Sendable {
    /// The time.
    public var time: Timestamp
    /// The event.
    public var what: What

    /// An entry with these values.
    public init(_ time: Timestamp, _ what: What) {
      self.time = time
      self.what = what
    }
  }

  /// The entries in order of time.
  public var entries: [Entry] = []
  /// The observables of the system, whether or not they occurred in this run.
  public var shows: Set<Observable>
  /// The options that its file or model declares, on which verdicts of a suite depend.
  public var said = SetupOptions()
  /// The addresses of peers in the system's events. Peers of a virtual run have documentation addresses.
  public var peers = PeerAddresses()
  /// The time in ns that the system has to show the right value: 0 in virtual time; 50 ms and the measured send timing
  /// error on the wall clock.
  public var settle: Nanoseconds
  /// The largest send timing error, in ns.
  public var lateness: Nanoseconds = 0
  /// The reason why no verdict may depend on times, since the machine was too late; nil otherwise.
  public var tooLate: String?
  /// Actions of the system's user that could not be performed, with the time of the request and the reason.
  public var failedDeeds: [(asked: Timestamp, reason: String)] = []
  /// The matches of the system file's rules in the output; nil for a system without one.
  public var mapping: MappingStatistics?
  /// The same run with each number taken as rounded or truncated to its largest printed precision; empty if no number
  /// has so few decimals. A failure of the run that is missing here may be a rounding error.
  public internal(set) var coarse: [RunLog] = []
  /// Whether it is such a reading.
  public internal(set) var isCoarse = false
  /// Whether the system never became ready, so that there was no run.
  public var wasNeverReady = false
  /// The time from the start of the system until it was ready, in ns; 0 if it was running already.
  public var startup: Nanoseconds = 0
  /// Whether telecap was stopped, or the machine slept, for at least a second of the run. A failure of that time proves
  /// nothing.
  public var stoodStill = false
  /// The jump of this machine's clock in the run, in words; nil without one.
  public var clockJump: String?
  /// Whether the traffic was captured between other peers: actions of their users are unknown.
  public var isOverheard = false
  /// Packets sent before the run to check whether the system is ready.
  public var probes: [ReadinessProbe] = []
  /// The time at which the system exited without an error, after its session was closed and before the end of the run,
  /// and the reason of the close.
  public var ended: (time: Timestamp, reason: String)?
  /// The end of the run.
  public var end: Timestamp = .zero
  /// The time at which the system was asked to exit; nil if it was not, or not while its traffic was read.
  public var left: Timestamp?

  /// The log of a run without events.
  public init(shows: Set<Observable>, settle: Nanoseconds = 0) {
    self.shows = shows
    self.settle = settle
  }

  /// The empty log of a script in virtual time: its peers have documentation addresses.
  init(of script: Script, shows: Set<Observable>) {
    self.init(shows: shows)
    entries.reserveCapacity(script.meant.count * 4)
    end = script.end
    for peer in Set(script.meant.map(\.peer)).union(["host"]).sorted() {
      peers.put(peer, at: VirtualAddresses.endpoint(of: peer))
    }
  }

  /// Inserts an event at `time`, after all earlier ones. Searches from the end, since replies and output are read
  /// little later than other entries.
  public mutating func note(_ what: What, at time: Timestamp) {
    var index = entries.count
    while index > 0, entries[index - 1].time > time { index -= 1 }
    entries.insert(Entry(time, what), at: index)
  }

  /// The reason why an action of the system's user was not performed; nil if all were. A call that the system refused
  /// counts as performed.
  public var undone: String? {
    guard !failedDeeds.isEmpty else { return nil }
    var open: (asked: Timestamp, reason: String)?
    for entry in entries {
      switch entry.what {
      case .asked:
        if let open { return open.reason }
        open = failedDeeds.first { $0.asked == entry.time }
      case .event(.note(let note)) where note.kind.role == .refusal: open = nil
      default: continue
      }
    }
    return open?.reason
  }

  /// The failure of the system, such as a crash; nil without one.
  public var broke: (reason: String, time: Timestamp)? {
    for entry in entries.reversed() {
      if case .broke(let reason) = entry.what { return (reason, entry.time) }
    }
    return nil
  }
}

extension RunLog: LogReader {
  public mutating func read(_ entry: LoopEntry, at time: Timestamp) {
    // No peer has this address.
    if case .replied(let bytes, let end, _) = entry, peers.peer(at: end) == nil {
      return note(.output("(\(bytes.byteCount) bytes sent to \(end))"), at: time)
    }
    note(entry.kept { peers.peer(at: $0) ?? "\($0)" }, at: time)
  }
}

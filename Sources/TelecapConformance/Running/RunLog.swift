import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording

/// What a system under test shows beside what it says on the wire. A check that needs more is inconclusive.
public enum Observable: Hashable, Sendable {
  /// What it applies of the stream of this name.
  case stream(String)
  /// When its sessions open and close.
  case sessions
  /// What else its protocol has a word for.
  case note(NoteKind)
  /// What a device does, in its own words.
  case tellings
}

/// All that happened in one run, in order of time: what was delivered to the system, and what it showed. Everything that
/// is judged or reported is computed from it.
public struct RunLog: Sendable {
  /// One thing that happened, with the peers under their names.
  public typealias What = LogEntry<PeerName, [UInt8]>

  /// Something that happened, and when, since the start of the run.
  public struct Entry: Sendable {
    /// When.
    public var time: Timestamp
    /// What.
    public var what: What

    /// An entry of these values.
    public init(_ time: Timestamp, _ what: What) {
      self.time = time
      self.what = what
    }
  }

  /// What happened, in order of time.
  public var entries: [Entry] = []
  /// What the system shows, whether or not it had anything to show in this run.
  public var shows: Set<Observable>
  /// What the system says of itself, by its file or as a model: a suite judges it by that.
  public var said = SetupOptions()
  /// Where each peer is, as the system's events name it. Peers of a run in virtual time have made-up addresses.
  public var peers = PeerAddresses()
  /// How long the system may take to show what is right, in ns: 0 in virtual time, 50 ms and the measured lateness on
  /// the wall clock.
  public var settle: Nanoseconds
  /// How late the sender was at worst, in ns.
  public var lateness: Nanoseconds = 0
  /// The machine was so late that nothing can be judged by when something happened: why.
  public var tooLate: String?
  /// What the system's user was to do and what failed when it was to be brought about, with when it was asked for and why.
  public var failedDeeds: [(asked: Timestamp, reason: String)] = []
  /// What the rules of a system file made of what the program printed; nil for a system without one.
  public var mapping: MappingStatistics?
  /// The same run, read as if the program had rounded or cut each number to the precision with which it printed it at most;
  /// empty where nothing was printed with so few decimals. What fails in the run and not here may be no more than rounding.
  public internal(set) var coarse: [RunLog] = []
  /// It is such a reading.
  public internal(set) var isCoarse = false
  /// The system was never ready: there was no run.
  public var wasNeverReady = false
  /// How long the system took from its start until it was ready, in ns; 0 where it ran already.
  public var startup: Nanoseconds = 0
  /// telecap itself stood still for a second or longer in the run: it was stopped, or the machine slept. What broke then
  /// proves nothing.
  public var stoodStill = false
  /// How the clock of this machine jumped in the run, in words; nil where it did not.
  public var clockJump: String?
  /// It was overheard: what its users did is not known, and nobody asked them to.
  public var isOverheard = false
  /// What was sent before the run to find out whether the system is ready.
  public var probes: [ReadinessProbe] = []
  /// The system ended its process in an orderly way after its session was closed, before the run was over: when, and what closed
  /// the session.
  public var ended: (time: Timestamp, reason: String)?
  /// When the run ended.
  public var end: Timestamp = .zero
  /// When the system was asked to end; nil where it was not while it was still heard.
  public var left: Timestamp?

  /// The log of a run in which nothing has happened.
  public init(shows: Set<Observable>, settle: Nanoseconds = 0) {
    self.shows = shows
    self.settle = settle
  }

  /// The log of a script in virtual time that has not begun: its peers have made-up addresses.
  init(of script: Script, shows: Set<Observable>) {
    self.init(shows: shows)
    entries.reserveCapacity(script.meant.count * 4)
    end = script.end
    for peer in Set(script.meant.map(\.peer)).union(["host"]).sorted() {
      peers.put(peer, at: VirtualAddresses.endpoint(of: peer))
    }
  }

  /// Adds what happened at `time`, after all that happened until then: a reply is read, and a line is printed, a little after other
  /// entries of its time, so that few entries are passed over.
  public mutating func note(_ what: What, at time: Timestamp) {
    var index = entries.count
    while index > 0, entries[index - 1].time > time { index -= 1 }
    entries.insert(Entry(time, what), at: index)
  }

  /// Why the system was not made to do something that its user was to do; nil where it always was. A call that it said it
  /// refused was made.
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

  /// How the system broke, nil while it did not.
  public var broke: (reason: String, time: Timestamp)? {
    for entry in entries.reversed() {
      if case .broke(let reason) = entry.what { return (reason, entry.time) }
    }
    return nil
  }
}

extension RunLog: LogReader {
  public mutating func read(_ entry: LoopEntry, at time: Timestamp) {
    // Nobody is there to get it.
    if case .replied(let bytes, let end, _) = entry, peers.peer(at: end) == nil {
      return note(.output("(\(bytes.byteCount) bytes sent to \(end))"), at: time)
    }
    note(entry.kept { peers.peer(at: $0) ?? "\($0)" }, at: time)
  }
}

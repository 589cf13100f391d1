import TelecapImpairment
import TelecapRecording
import TelecapWire

/// The messages of a recording and the effect of the network's plan on them, by kind.
public struct PlannedMessages: Sendable {
  /// The counts of one kind.
  public struct Counts: Hashable, Sendable {
    /// Messages that the recording sent.
    public internal(set) var sent = 0
    /// Further copies that the network delivers.
    public internal(set) var duplicated = 0
    /// Messages that the network drops.
    public internal(set) var dropped = 0

    /// All counts are 0.
    public init() {}
  }

  /// The protocol of the messages.
  public let owner: WireProtocol
  /// The counts, by the index of the kind in its protocol.
  public private(set) var counts: [Counts]
  private var framers: [Int: MessageFramer] = [:]
  /// The kinds of the messages in packets whose line of the plan is not final, by packet number: a queue may still drop them.
  private var open: [Int: [Int]] = [:]

  /// Without messages.
  public init(of owner: WireProtocol) {
    self.owner = owner
    counts = [Counts](repeating: Counts(), count: owner.messages.count)
  }

  /// Adds a datagram, whose line of the plan follows, or the messages that end in this segment of a flow's byte stream,
  /// which no plan drops.
  public mutating func add(_ bytes: RawSpan, packet: Int, flow: Int, over carrier: Carrier) {
    guard let dialect = owner.dialect(over: carrier) else { return }
    guard carrier == .tcp else {
      return dialect.eachMessage(of: bytes) { message in
        let kind = MessageDecoder.check(message, as: dialect).kind.place
        counts[kind].sent += 1
        open[packet, default: []].append(kind)
      }
    }
    var framer = framers.removeValue(forKey: flow) ?? MessageFramer(dialect)
    framer.receive(bytes) { event, frame in
      if event == .message { counts[MessageDecoder.check(frame, as: dialect).kind.place].sent += 1 }
    }
    framers[flow] = framer
  }

  /// Adds the final line of the plan of a packet.
  public mutating func add(_ line: PlanLine) {
    for kind in open.removeValue(forKey: line.packet) ?? [] {
      counts[kind].dropped += line.verdict == .drop ? 1 : 0
      counts[kind].duplicated += max(0, line.due.count - 1)
    }
  }

  /// Adds the counts of a further run.
  public mutating func add(_ other: PlannedMessages) {
    for (kind, more) in zip(counts.indices, other.counts) {
      counts[kind].sent += more.sent
      counts[kind].duplicated += more.duplicated
      counts[kind].dropped += more.dropped
    }
  }
}

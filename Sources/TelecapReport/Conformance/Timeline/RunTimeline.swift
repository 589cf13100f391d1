import TelecapConformance
import TelecapModels
import TelecapRecording

/// One run as a picture is drawn from it: the values that were sent, delivered and applied, and every message as a mark.
struct RunTimeline {
  /// A value at a time.
  struct Point: Hashable {
    var time: Nanoseconds
    var value: Double
  }

  /// A message, or something else that happened, in a lane under the plot.
  struct Mark: Hashable {
    var time: Nanoseconds
    var text: String
    /// The impairment of the packet; nil for none.
    var fate: PacketFate.Kind?
    /// It ended the run, or a connection.
    var isEnd = false
    /// The text next to it in the picture; may be empty.
    var label = ""
  }

  /// How its values are drawn.
  let scale: PlottedScale
  /// Values that our side sent, whatever became of them.
  private(set) var sent: [Point] = []
  /// Values that reached the system.
  private(set) var delivered: [Point] = []
  /// Values that the system showed, each until the next one.
  private(set) var applied: [Point] = []
  /// The messages and requests that were sent to it, its answers, and its events.
  private(set) var lanes: [(name: String, marks: [Mark])] = []
  /// How many marks are not there because not all of them were kept.
  var leftOut = 0
  /// Where the picture begins, in ns since the start of the run.
  private(set) var start: Nanoseconds = 0
  /// Where it ends: at first, with the run.
  private(set) var end: Nanoseconds
  /// When the requirement was broken, in ns.
  private(set) var breaches: [Nanoseconds]

  /// The picture of a run.
  init(_ log: RunLog, of result: ScenarioResult) {
    let judging = result.ran.judging
    let stream = PlottedStream(result.requirement, judging, of: log)
    scale = stream.scale
    breaches = result.shown.breaches.compactMap { $0.time?.nanoseconds }
    end = max(log.end.nanoseconds, log.entries.last?.time.nanoseconds ?? 0)
    let own = result.ran.setup.part.program?.lanes ?? []
    var reader = Reader(stream, PayloadText(result.ran), own)
    let arrived = Set(
      log.entries.compactMap { entry in
        if case .delivered(_, let packet, _, _, _) = entry.what { packet } else { nil }
      })
    for entry in log.entries { reader.read(entry, arrived) }
    (sent, delivered, applied) = (reader.sent, reader.delivered, reader.applied)
    if let bits = stream.wrappingBits { unwrap(bits) }
    lanes = zip(Reader.lanes + own.map(\.name), reader.marks).filter { !$0.1.isEmpty }.map { (name: $0.0, marks: $0.1) }
  }

  /// The picture of a run that was kept.
  init(
    _ scale: PlottedScale, sent: [Point], delivered: [Point], applied: [Point],
    lanes: [(name: String, marks: [Mark])], end: Nanoseconds, breaches: [Nanoseconds]
  ) {
    (self.scale, self.sent, self.delivered, self.applied) = (scale, sent, delivered, applied)
    (self.lanes, self.end, self.breaches) = (lanes, end, breaches)
  }

  /// The half second around the first breach, in ns; nil where there is none, or the run is not much longer.
  var firstBreach: ClosedRange<Nanoseconds>? {
    let half: Nanoseconds = 250_000_000
    guard let breach = breaches.min(), end > 6 * half else { return nil }
    let start = max(0, min(breach - half, end - 2 * half))
    return start...start + 2 * half
  }

  /// The picture of half a second around the first breach; nil where the whole run is hardly longer, or no moment is
  /// known.
  var aroundFirstBreach: RunTimeline? {
    guard let window = firstBreach else { return nil }
    var result = self
    (result.start, result.end, result.leftOut) = (window.lowerBound, window.upperBound, 0)
    let before = applied.last { $0.time < window.lowerBound }
    for series in [\RunTimeline.sent, \.delivered, \.applied] {
      result[keyPath: series].removeAll { !window.contains($0.time) }
    }
    // The value that held when the picture begins.
    if let before { result.applied.insert(Point(time: window.lowerBound, value: before.value), at: 0) }
    result.lanes = lanes.map { (name: $0.name, marks: $0.marks.filter { window.contains($0.time) }) }
    result.breaches.removeAll { !window.contains($0) }
    return result
  }

  /// Makes numbers of so many bits that wrap into ones that go on: each is the nearest to the first (RFC 1982).
  private mutating func unwrap(_ bits: Int) {
    let unused = Int64(64 - bits)
    guard let first = (sent + delivered + applied).first?.value else { return }
    for series in [\RunTimeline.sent, \.delivered, \.applied] {
      for index in self[keyPath: series].indices {
        let distance = Int64(clampingRounded: self[keyPath: series][index].value - first)
        self[keyPath: series][index].value = first + Double((distance << unused) >> unused)
      }
    }
  }

  /// Sorts what happened into series and lanes.
  private struct Reader {
    static let lanes = ["sent", "delivered", "asked", "replied", "told"]

    let stream: PlottedStream
    let payloads: PayloadText
    var sent: [Point] = []
    var delivered: [Point] = []
    var applied: [Point] = []
    var marks: [[Mark]]
    /// The lanes of a device, after those of every run.
    private let own: [DeviceLane]
    private var sums: (sent: Double, delivered: Double, applied: Double) = (0, 0, 0)
    /// The bytes of each packet, and how many copies of it arrived.
    private var packets: [Int: (bytes: [UInt8], copies: Int)] = [:]
    /// The newest packet that arrived from each sender.
    private var newest: [String: Int] = [:]

    init(_ stream: PlottedStream, _ payloads: PayloadText, _ own: [DeviceLane]) {
      self.stream = stream
      self.payloads = payloads
      self.own = own
      marks = Array(repeating: [], count: Reader.lanes.count + own.count)
    }

    mutating func read(_ entry: RunLog.Entry, _ arrived: Set<Int>) {
      let time = entry.time.nanoseconds
      switch entry.what {
      case .sent(let bytes, let packet, _, let carrier):
        add(stream.value(of: bytes, over: carrier), at: time, to: &sent, &sums.sent)
        packets[packet] = (bytes, 0)
        let isLost = carrier == .udp && !arrived.contains(packet)
        mark(0, time, "packet \(packet): \(payloads.text(bytes, over: carrier))", isLost ? .lost : nil)
      case .delivered(let bytes, let packet, let peer, let carrier, _):
        add(stream.value(of: bytes, over: carrier), at: time, to: &delivered, &sums.delivered)
        let fate = carrier == .udp ? fate(of: packet, bytes, from: peer) : nil
        mark(1, time, "packet \(packet): \(payloads.text(bytes, over: carrier))", fate)
      case .asked(let action):
        if let distance = action.distance { add(stream.adds ? distance : nil, at: time, to: &sent, &sums.sent) }
        mark(2, time, action.words)
      case .replied(let bytes, _, let carrier):
        if stream.isSent { add(stream.value(of: bytes, over: carrier), at: time, to: &applied, &sums.applied) }
        mark(3, time, payloads.text(bytes, over: carrier))
      case .event(let event):
        if !stream.isSent, let value = stream.value(of: event) { applied.append(Point(time: time, value: value)) }
        tell(event, time)
        if case .note(let note) = event, let word = note.requestedWord { marks[4][marks[4].count - 1].label = word }
      case .opened(let peer): mark(0, time, "\(peer) opens a connection")
      case .closed(let peer): mark(0, time, "\(peer) closes its connection")
      case .disconnected(let peer): mark(3, time, "the system closes the connection of \(peer)", isEnd: true)
      case .output: break
      case .broke(let reason): mark(4, time, reason, isEnd: true)
      }
    }

    /// Adds an event to a lane of the device, or to that of all events.
    private mutating func tell(_ event: PeerEvent, _ time: Nanoseconds) {
      if case .told(let words) = event {
        for (index, lane) in own.enumerated() {
          guard let label = lane.label(words) else { continue }
          marks[Reader.lanes.count + index].append(Mark(time: time, text: words, label: label))
          return
        }
      }
      mark(4, time, LogText.words(event, of: payloads.owner))
    }

    /// The impairment of a datagram that arrived.
    private mutating func fate(of packet: Int, _ bytes: [UInt8], from peer: String) -> PacketFate.Kind? {
      packets[packet]?.copies += 1
      let isReordered = packet < newest[peer] ?? packet
      newest[peer] = max(packet, newest[peer] ?? packet)
      guard let sent = packets[packet] else { return nil }
      return sent.bytes != bytes ? .changed : sent.copies > 1 ? .duplicated : isReordered ? .reordered : nil
    }

    private mutating func mark(
      _ lane: Int, _ time: Nanoseconds, _ text: String, _ fate: PacketFate.Kind? = nil, isEnd: Bool = false
    ) {
      let words = fate.map { ", \($0.rawValue)" } ?? ""
      marks[lane].append(Mark(time: time, text: text + words, fate: fate, isEnd: isEnd))
    }

    private func add(_ value: Double?, at time: Nanoseconds, to series: inout [Point], _ sum: inout Double) {
      guard let value else { return }
      if stream.adds, value.isFinite { sum += value }
      series.append(Point(time: time, value: stream.adds ? sum : value))
    }
  }
}

import TelecapCapture
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapStore
import TelecapWire

/// The packets of a recording to replay, which can be read any number of times.
public struct ReplaySource: Sendable {
  /// The name of the recording in reports.
  public let name: String
  /// The role that sent the packets.
  public let role: Role
  /// The recording and its readers.
  public let recording: Recording
  private let window: CaptureWindow
  private var isChosen: @Sendable (Flow) -> Bool = { _ in true }

  /// The maximum number of flows in a replay: no recorded session has more, and each takes memory.
  public static let mostFlows = 65_536

  /// The ports that identify protocols.
  public var ports: Ports { recording.ports }

  /// The packets that the role of this name sent, in this window of a recording in a file, by default the recording's
  /// own. By default the first role that sent any; clients come before servers.
  ///
  /// - Throws: `ReplayProblem.standardInput`, `noRole` or `nobody`; errors of opening the recording.
  public init(_ recording: Recording, as role: String?, window: CaptureWindow? = nil) throws {
    name = if case .path(let path) = recording.place { path } else { "memory" }
    if case .path(let path) = recording.place, RecordingPlace.isStream(path) { throw ReplayProblem.standardInput }
    (self.recording, self.window) = (recording, window ?? recording.window ?? CaptureWindow())
    self.role =
      try role.map { try Role(named: $0, in: recording.ports) } ?? ReplaySource.firstRole(recording, name)
  }

  /// All packets that `role` sent in a recording that telecap made.
  public init(_ packets: PacketList, name: String, as role: Role, ports: Ports, in files: RecordingFiles) {
    (self.name, self.role, window) = (name, role, CaptureWindow())
    recording = files.recording(packets, ports: ports)
  }

  /// Skips the packets of all other flows.
  public mutating func choose(_ flows: @escaping @Sendable (Flow) -> Bool) { isChosen = flows }

  /// Checks that its packets are for the role of this name.
  ///
  /// - Throws: `ReplayProblem.noRole` or `otherReceiver` otherwise.
  public func check(isFor receiver: String) throws(ReplayProblem) {
    let named = try Role(named: receiver, in: ports)
    if named != role.receiver { throw .otherReceiver(sender: role, receiver: named) }
  }

  /// Passes on every unit in order. Damage of the file is in the result; all units before it have been passed on.
  ///
  /// - Parameter lastPacket: the last packet to read, so that a file that grows meanwhile is read to the same position
  ///   again.
  /// - Throws: `ReplayProblem.tooManyFlows`; errors of opening the recording and of `body`.
  public func read(
    upTo lastPacket: Int = .max, _ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void
  ) throws -> Reading {
    var input = try recording.open()
    var taking = Taking(self, upTo: lastPacket)
    let damage = try Damage.ending {
      if let capture = input.capture {
        try capture.forEachPacketAhead { try taking.take($0, $1, body) }
      } else {
        try input.forEach { try taking.take($0, $1, body) }
      }
    }
    try taking.reader.finish(body)
    var reading = taking.reading
    (reading.start, reading.end) = (taking.reader.start, taking.reader.end)
    (reading.flows, reading.notes, reading.damage) = (taking.reader.flows.flows, taking.reader.notes, damage)
    reading.unread = taking.reader.unread.notes(messages: taking.reader.known) + input.notes
    return reading
  }

  /// The end of the part from the start of the window with at most `most` units and at most `longest` ns, since the
  /// recording's first packet, in whole milliseconds; nil where all of it fits.
  ///
  /// - Throws: `ReplayProblem.tooManyFlows`; errors of opening the recording.
  public func part(holding most: Int, noLongerThan longest: Nanoseconds) throws -> Nanoseconds? {
    var input = try recording.open()
    var taking = Taking(self, upTo: .max)
    var (units, end) = (0, 0 as Nanoseconds)
    let latest = window.from.saturatingAdding(longest)
    do {
      _ = try Damage.ending {
        try input.forEach { header, frame in
          let start = taking.reader.start ?? header.time
          try taking.take(header, frame) { unit, _, _ in
            units += 1
            end = unit.time.nanoseconds(since: start)
            if units > most || end >= latest { throw Found() }
          }
        }
      }
    } catch is Found {
      return max(window.from.saturatingAdding(1_000_000), min(latest, end) / 1_000_000 * 1_000_000)
    }
    return nil
  }

  /// The window of the recording from the first of these packets to the last; nil where this side did not send both.
  ///
  /// - Throws: the errors of `read`.
  public func window(_ packets: ClosedRange<Int>) throws -> CaptureWindow? {
    var (first, last): (Timestamp?, Timestamp?)
    let reading = try read { unit, _, _ in
      if unit.packet == packets.lowerBound { first = unit.time }
      if unit.packet == packets.upperBound { last = unit.time }
    }
    guard let start = reading.start, let first, let last else { return nil }
    return CaptureWindow(
      from: max(0, first.nanoseconds(since: start)), until: max(0, last.nanoseconds(since: start)).saturatingAdding(1))
  }

  /// Reads the packets of a recording in order.
  private struct Taking {
    var reader: UnitReader
    var reading = Reading()
    private let name: String
    private let lastPacket: Int

    init(_ source: ReplaySource, upTo lastPacket: Int) {
      reader = UnitReader(ports: source.ports, role: source.role, window: source.window, flows: source.isChosen)
      (name, self.lastPacket) = (source.name, lastPacket)
    }

    mutating func take(
      _ header: PacketHeader, _ frame: RawSpan, _ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void
    ) throws {
      guard header.number <= lastPacket else { return }
      reading.lastPacket = header.number
      try reader.receive(header, frame, body)
      guard reader.flows.flows.count <= mostFlows else {
        throw ReplayProblem.tooManyFlows(recording: name, packet: header.number, most: mostFlows)
      }
    }
  }

  /// The result of a reading.
  public struct Reading: Sendable {
    /// The flows of the units, by number.
    public var flows: [Flow] = []
    /// Skipped packets and other notes.
    public var notes = UnitReader.Notes()
    /// Unread parts, as sentences.
    public var unread: [String] = []
    /// The time of the recording's first packet; nil without packets.
    public var start: Timestamp?
    /// The time of its last packet; it increases even where the clock was set back (`SteadyTimes`).
    public var end: Timestamp?
    /// The number of the last packet of the recording.
    public var lastPacket = 0
    /// The damage of the file.
    public var damage: Damage?

    /// An empty result.
    public init() {}
  }

  /// The protocol versions of these flows' payloads from the role; nil for unknown ones.
  public func dialects(of flows: [Flow]) -> [Dialect?] {
    flows.map { $0.carrier == .ble ? role.owner.dialect(over: .ble) : ports.match($0, of: role.owner)?.dialect }
  }

  // MARK: Roles

  /// Ends a reading early.
  private struct Found: Error {}

  private static func firstRole(_ recording: Recording, _ name: String) throws -> Role {
    let roles = Role.all(of: recording.ports.protocols).filter(\.sends)
    var seen: Set<Role> = []
    var findings: [Finding] = []
    var (unread, known) = (UnreadTraffic(), 0)
    var bluetooth = BluetoothStage(recording.ports)
    var frames = FrameReader(ports: recording.ports)
    var (contested, tcp) = (ContestedFlows(), TCPReassembler())
    var streams: [Int: StreamProtocol] = [:]
    func saw(_ match: PortMatch, _ bytes: RawSpan) throws {
      known += 1
      var direction = match.direction
      if direction == .unknown {
        findings.removeAll(keepingCapacity: true)
        let first = bytes.extracting(match.dialect.firstMessage(of: bytes))
        direction = MessageDecoder.decode(first, as: match.dialect, findings: &findings).layoutDirection
      }
      guard let role = Role(sending: direction, match.dialect) else { return }
      seen.insert(role)
      if role == roles.first { throw Found() }
    }
    func saw(_ event: TCPEvent, _ bytes: RawSpan) throws {
      guard var stream = streams.removeValue(forKey: event.stream) ?? StreamProtocol(event.flow, by: recording.ports)
      else { return }
      try stream.receive(event, bytes) { if !$2.isEmpty { try saw($1, $2) } }
      if case .closed = event.kind { return }
      streams[event.stream] = stream
    }
    var damage: Damage?
    do {
      var input = try recording.open()
      damage = try Damage.ending {
        try input.forEach { header, frame in
          if LinkType.isBluetooth(header.linkType) {
            _ = try bluetooth.receive(frame, linkType: header.linkType) { try saw($1, $2) }
            return
          }
          let reading = frames.read(frame, header)
          guard case .payload(let payload) = reading.content else {
            return unread.count(reading.content, besides: recording.ports)
          }
          try reading.withBytes(of: frame) { bytes in
            let bytes = bytes.extracting(payload.range)
            guard let match = recording.ports.match(payload.flow, bytes, &contested) else {
              return unread.count(payload)
            }
            if payload.flow.carrier == .tcp { return try tcp.receive(payload, bytes) { try saw($0, $1) } }
            if !bytes.isEmpty { try saw(match, bytes) }
          }
        }
      }
      try tcp.finish { try saw($0, $1) }
    } catch is Found {}
    for role in roles where seen.contains(role) { return role }
    if let damage { throw damage }
    unread.attributes = bluetooth.told
    throw ReplayProblem.nobody(recording: name, of: roles, notes: unread.notes(messages: known))
  }
}

extension Role {
  /// The role of this name in the protocols of these ports.
  ///
  /// - Throws: `ReplayProblem.noRole`
  init(named name: String, in ports: Ports) throws(ReplayProblem) {
    let roles = Role.all(of: ports.protocols)
    guard let role = roles.first(where: { $0.name == name }) else { throw .noRole(name, among: roles) }
    self = role
  }
}

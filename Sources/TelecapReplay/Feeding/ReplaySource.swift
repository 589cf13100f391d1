import TelecapCapture
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapStore
import TelecapWire

/// Which packets of which recording are replayed: enough to read them as often as is needed.
public struct ReplaySource: Sendable {
  /// What the recording is called in reports.
  public let name: String
  /// Whose packets.
  public let role: Role
  /// The recording, and by what it is read.
  public let recording: Recording
  private let window: CaptureWindow
  private var isChosen: @Sendable (Flow) -> Bool = { _ in true }

  /// The flows of one replay: more of them are no session that somebody recorded, and each takes memory.
  public static let mostFlows = 65_536

  /// What tells the protocols apart.
  public var ports: Ports { recording.ports }

  /// What the role of this name sent, in this part of a recording in a file; when none is given, the first that sent anything:
  /// those that speak first come before those that listen.
  ///
  /// - Throws: `ReplayProblem.standardInput`, `noRole` or `nobody`; what opening the recording throws.
  public init(_ recording: Recording, as role: String?, window: CaptureWindow = CaptureWindow()) throws {
    name = if case .path(let path) = recording.place { path } else { "memory" }
    if case .path(let path) = recording.place, RecordingPlace.isStream(path) { throw ReplayProblem.standardInput }
    (self.recording, self.window) = (recording, window)
    self.role =
      try role.map { try Role(named: $0, in: recording.ports) } ?? ReplaySource.firstRole(recording, name)
  }

  /// All that `role` sent in a recording that we made ourselves.
  public init(_ packets: PacketList, name: String, as role: Role, ports: Ports, in files: RecordingFiles) {
    (self.name, self.role, window) = (name, role, CaptureWindow())
    recording = files.recording(packets, ports: ports)
  }

  /// Leaves out the packets of all other flows.
  public mutating func choose(_ flows: @escaping @Sendable (Flow) -> Bool) { isChosen = flows }

  /// Checks that what it sends is for the role of this name.
  ///
  /// - Throws: `ReplayProblem.noRole` or `otherReceiver` where it is not.
  public func check(isFor receiver: String) throws(ReplayProblem) {
    let named = try Role(named: receiver, in: ports)
    if named != role.receiver { throw .otherReceiver(sender: role, receiver: named) }
  }

  /// Hands on every unit, in order. What broke the file is in the answer; all that came before it has been handed on.
  ///
  /// - Parameter lastPacket: where to stop, so that a file that grows meanwhile is read to the same place again.
  /// - Throws: `ReplayProblem.tooManyFlows`; what opening the recording throws, and what `body` throws.
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

  /// How much of the recording holds so many units at most and is no longer than this: so long after its first packet, in whole
  /// milliseconds; nil where all of it does.
  ///
  /// - Throws: `ReplayProblem.tooManyFlows`; what opening the recording throws.
  public func part(holding most: Int, noLongerThan longest: Nanoseconds) throws -> Nanoseconds? {
    var input = try recording.open()
    var taking = Taking(self, upTo: .max)
    var (units, end) = (0, 0 as Nanoseconds)
    do {
      _ = try Damage.ending {
        try input.forEach { header, frame in
          let start = taking.reader.start ?? header.time
          try taking.take(header, frame) { unit, _, _ in
            units += 1
            end = unit.time.nanoseconds(since: start)
            if units > most || end >= longest { throw Found() }
          }
        }
      }
    } catch is Found {
      return max(1_000_000, min(longest, end) / 1_000_000 * 1_000_000)
    }
    return nil
  }

  /// The part of the recording from the first of these packets to the last; nil where this side sent not both of them.
  ///
  /// - Throws: as `read` does.
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

  /// The packets of a recording, one after the other.
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

  /// What a reading came to.
  public struct Reading: Sendable {
    /// The flows of the units, by their numbers.
    public var flows: [Flow] = []
    /// What was met beside the units.
    public var notes = UnitReader.Notes()
    /// What was not read, in sentences.
    public var unread: [String] = []
    /// When the recording's first packet came; nil where there is none.
    public var start: Timestamp?
    /// When its last packet came; times go on where the clock was set back (`SteadyTimes`).
    public var end: Timestamp?
    /// The number of the last packet of the recording.
    public var lastPacket = 0
    /// What broke the file.
    public var damage: Damage?

    /// Nothing yet.
    public init() {}
  }

  /// What the payloads of these flows are, which it sent; nil where nobody knows.
  public func dialects(of flows: [Flow]) -> [Dialect?] {
    flows.map { $0.carrier == .ble ? role.owner.dialect(over: .ble) : ports.match($0, of: role.owner)?.dialect }
  }

  // MARK: Who sent

  /// Stops a reading early.
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
        direction = MessageDecoder.decode(bytes, as: match.dialect, findings: &findings).layoutDirection
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
  /// The role of this name in the protocols that these ports are known by.
  ///
  /// - Throws: `ReplayProblem.noRole`
  init(named name: String, in ports: Ports) throws(ReplayProblem) {
    let roles = Role.all(of: ports.protocols)
    guard let role = roles.first(where: { $0.name == name }) else { throw .noRole(name, among: roles) }
    self = role
  }
}

import TelecapCapture
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapTransport
import TelecapWire

/// Which packets of which recording are replayed: enough to read them as often as is needed.
struct ReplaySource: Sendable {
  /// The recording.
  let place: RecordingPlace
  /// What the recording is called in reports.
  let name: String
  /// What tells the protocols apart.
  let ports: Ports
  /// Whose packets.
  let role: Role
  /// When.
  let window: CaptureWindow

  /// The source that these options mean; when no role is given, the first of phone, mouse and host that sent anything.
  init(_ options: SourceOptions) throws {
    name = options.input
    place = .path(name)
    ports = try options.ports.ports(of: name)
    window = CaptureWindow(from: options.from?.nanoseconds ?? 0, until: options.until?.nanoseconds ?? .max)
    guard name != "-" else {
      throw Failure(
        .usage, "a replay reads its recording twice, which standard input does not allow",
        advice: "write it to a file first")
    }
    role = try options.as?.role ?? ReplaySource.firstRole(name, ports)
  }

  /// All that `role` sent in a recording that we made ourselves.
  init(_ packets: PacketList, name: String, ports: Ports, role: Role) {
    (place, self.name, self.ports, self.role, window) = (.packets(packets), name, ports, role, CaptureWindow())
  }

  /// Hands on every unit, in order. What broke the file is in the answer; all that came before it has been handed on.
  ///
  /// - Parameter lastPacket: where to stop, so that a file that grows meanwhile is read to the same place again.
  func read(
    upTo lastPacket: Int = .max, _ body: (ReplayUnit, [StreamPiece], RawSpan) throws -> Void
  ) throws -> Reading {
    var input = try Loaded.files.open(place)
    var reader = UnitReader(ports: ports, role: role, window: window)
    var reading = Reading()
    reading.damage = try Damage.ending(
      {
        try input.forEach { header, frame in
          guard header.number <= lastPacket else { return }
          reading.lastPacket = header.number
          try reader.receive(header, frame, body)
        }
      }, or: { $0 is SavedPlanError })
    try reader.finish(body)
    reading.flows = reader.flows.flows
    reading.notes = reader.notes
    return reading
  }

  /// What a reading came to.
  struct Reading: Sendable {
    /// The flows of the units.
    var flows: [Flow] = []
    /// What was met beside the units.
    var notes = UnitReader.Notes()
    /// The number of the last packet of the recording.
    var lastPacket = 0
    /// What broke the file.
    var damage: Damage?
  }

  /// Stops a reading early.
  private struct Found: Error {}

  private static func firstRole(_ path: String, _ ports: Ports) throws -> Role {
    var seen: Set<Role> = []
    var findings: [Finding] = []
    do {
      var input = try Loaded.files.open(.path(path))
      _ = try Damage.ending {
        try input.forEach { header, frame in
          guard case .payload(let payload) = FrameDecoder.decode(frame, header),
            let match = ports.match(payload.flow), !payload.range.isEmpty
          else { return }
          var direction = match.direction
          if direction == .unknown {
            findings.removeAll(keepingCapacity: true)
            let kind = MessageDecoder.decode(
              frame.extracting(payload.range), as: match.dialect, findings: &findings)
            direction = kind.layoutDirection
          }
          guard let role = Role(sending: direction, match.dialect) else { return }
          seen.insert(role)
          if role == .phone { throw Found() }
        }
      }
    } catch is Found {}
    for role in [Role.phone, .mouse, .host] where seen.contains(role) { return role }
    throw Failure(
      .data, "\(path): no packet of a phone, a mouse or a host",
      advice: "see what it holds with telecap dissect \(path) --summary; ports other than the documents' are options")
  }
}

/// What there is to replay, known before it begins.
struct Survey: Sendable {
  /// The fingerprint of the units.
  var digest = CaptureDigest()
  /// How many units.
  var units = 0
  /// How many of them are datagrams.
  var datagrams = 0
  /// Their payload bytes.
  var bytes = 0
  /// The first and the last unit's time.
  var first = Timestamp.zero
  var last = Timestamp.zero
  /// What reading them came to.
  var reading = ReplaySource.Reading()

  /// Reads the source once.
  ///
  /// - Throws: `Failure` 65 when there is nothing to replay.
  init(_ source: ReplaySource) throws {
    reading = try source.read { unit, _, bytes in
      if units == 0 { first = unit.time }
      last = unit.time
      units += 1
      if unit.carrier == .udp { datagrams += 1 }
      self.bytes += bytes.byteCount
      digest.add(time: unit.time, payload: bytes)
    }
    guard units > 0 else {
      if let damage = reading.damage { throw damage }
      throw Failure(
        .data, "\(source.name): nothing that a \(source.role.rawValue) sent, in the time that was asked for",
        advice: "choose with --as phone, host or mouse, and with --from and --until")
    }
  }

  /// What a person should know of it before it is sent.
  func notes(_ role: Role) -> [String] {
    var lines: [String] = []
    if reading.notes.cut > 0 {
      lines.append("\(reading.notes.cut) packets were cut by the snapshot length and are left out")
    }
    if reading.notes.gaps > 0 {
      lines.append("\(reading.notes.gaps) holes in TCP streams, never captured: what follows them is sent at once")
    }
    if reading.notes.hostStreams > 0 {
      lines.append(
        "TCP streams of the host left out: \(reading.notes.hostStreams); a host answers connections, it opens none")
    }
    return lines
  }
}

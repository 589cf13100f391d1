import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapModels
import TelecapRecording
import TelecapWire

/// The traffic of a run as a capture for any tool: the messages delivered to the system and those from it. Lost packets
/// are only in the plan.
///
/// Times are those of the run, from 1970 on; addresses are those of the log, and an address is made up for a system
/// without one.
struct TrafficCapture: ~Copyable {
  private let setup: Setup
  private let ports: Ports
  private let peers: PeerAddresses
  private var writer: PcapngWriter
  private var builder = FrameBuilder(link: .rawIP)
  /// The frame builder of a run over Bluetooth; nil for other runs.
  private let bluetooth: BluetoothFrameBuilder?
  /// The links of the peers, in order of appearance.
  private var links: [PeerName] = []
  private var open: Set<PeerName> = []
  private let linkType: UInt16
  private var number = 0
  private var frame: [UInt8] = []

  /// Writes the traffic of a scenario's shown case to a new file, which replaces an existing one when it is complete.
  ///
  /// - Throws: `FileError` or `CaptureFileError`.
  static func write(_ log: RunLog, of result: ScenarioResult, to path: String, tool: String, _ ports: Ports) throws {
    let file = try PendingFile(at: path, force: true)
    var capture = try TrafficCapture(log, of: result, file, tool, ports)
    for probe in log.probes { try capture.add(probe) }
    for entry in log.entries { try capture.add(entry) }
    try capture.writer.finish()
    try file.place()
  }

  private init(_ log: RunLog, of result: ScenarioResult, _ file: PendingFile, _ tool: String, _ ports: Ports)
    throws(CaptureFileError)
  {
    var writer = try PcapngWriter(
      path: file.workingPath, named: file.path, tool: tool,
      comment: "\(result.scenario.id) \(result.shown.case), as it reached the system under test")
    let isOverBluetooth = log.entries.contains { $0.what.carrier == .ble }
    let dialect = isOverBluetooth ? result.ran.setup.part.role?.owner.dialect(over: .ble) : nil
    let linkType = dialect == nil ? FrameBuilder.Link.rawIP.linkType : BluetoothFrameBuilder.linkType
    try writer.add(Interface(name: "conform", linkType: linkType))
    self.writer = writer
    self.linkType = linkType
    bluetooth = dialect.map { BluetoothFrameBuilder($0) }
    setup = result.ran.setup
    self.ports = ports
    peers = log.peers
  }

  private mutating func add(_ entry: RunLog.Entry) throws(CaptureFileError) {
    switch entry.what {
    case .delivered(let bytes, let packet, let peer, let carrier, _):
      try add(
        bytes, flow(from: peer, carrier, entry.time), peer, at: entry.time,
        comment: packet > 0 ? "packet \(packet)" : "")
    case .replied(let bytes, let peer, let carrier?):
      try add(bytes, flow(from: peer, carrier, entry.time).reversed, peer, at: entry.time, comment: "")
    case .opened(let peer): try connect(peer, at: entry.time)
    case .closed(let peer): try close(flow(from: peer, .tcp, entry.time), peer, at: entry.time)
    case .disconnected(let peer): try close(flow(from: peer, .tcp, entry.time).reversed, peer, at: entry.time)
    case .sent, .replied, .asked, .event, .output, .broke: break
    }
  }

  /// Adds a probe from before the run, at the run's start, since no packet may be from before 1970.
  private mutating func add(_ probe: ReadinessProbe) throws(CaptureFileError) {
    let peer = probe.peer ?? ""
    let flow = flow(from: peer, probe.carrier, .zero)
    if probe.carrier == .udp { return try add([], flow, peer, at: .zero, comment: probe.words) }
    for (end, isOpening) in [(flow, true), (flow.reversed, true), (flow, false), (flow.reversed, false)] {
      frame.removeAll(keepingCapacity: true)
      do {
        if isOpening { try builder.appendOpening(end, to: &frame) } else { try builder.appendClosing(end, to: &frame) }
      } catch { continue }
      try writeFrame(at: .zero, comment: probe.words)
    }
  }

  private mutating func add(
    _ bytes: [UInt8], _ flow: Flow, _ peer: PeerName, at time: Timestamp, comment: String
  ) throws(CaptureFileError) {
    if let bluetooth, flow.carrier == .ble { return try add(bytes, flow, peer, bluetooth, at: time, comment: comment) }
    if flow.carrier == .tcp, !open.contains(peer) { try connect(peer, at: time) }
    // A segment of a byte stream may be longer than a packet.
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(FrameBuilder.largestPayload(flow))
      rest = rest.dropFirst(piece.count)
      frame.removeAll(keepingCapacity: true)
      do { try builder.append(piece.span.bytes, flow, to: &frame) } catch { continue }
      try writeFrame(at: time, comment: comment)
    } while !rest.isEmpty
  }

  /// Adds a Bluetooth value: a write of the client, or a notification of the host.
  private mutating func add(
    _ bytes: [UInt8], _ flow: Flow, _ peer: PeerName, _ bluetooth: BluetoothFrameBuilder, at time: Timestamp,
    comment: String
  ) throws(CaptureFileError) {
    let link = link(of: peer)
    if open.insert(peer).inserted {
      try write(bluetooth.opening(link: link, to: Self.server(link)), at: time, comment: "")
    }
    let isFromClient = flow.destination.port == port(.ble)
    try write(bluetooth.value(bytes, link: link, isFromClient: isFromClient), at: time, comment: comment)
  }

  private mutating func link(of peer: PeerName) -> UInt16 {
    let place = links.firstIndex(of: peer) ?? links.count
    if place == links.count { links.append(peer) }
    return 0x0040 + UInt16(place)
  }

  /// A locally administered address, which begins with such a byte (IEEE 802, 8.2).
  private static func server(_ link: UInt16) -> IPAddress { IPAddress(bluetooth: 0x0200_0000_0000 | UInt64(link)) }

  private mutating func write(_ frames: [[UInt8]], at time: Timestamp, comment: String) throws(CaptureFileError) {
    for (place, bytes) in frames.enumerated() {
      frame = bytes
      try writeFrame(at: time, comment: place == frames.count - 1 ? comment : "")
    }
  }

  private mutating func connect(_ peer: PeerName, at time: Timestamp) throws(CaptureFileError) {
    guard bluetooth == nil, open.insert(peer).inserted else { return }
    let forth = flow(from: peer, .tcp, time)
    // A client connects to its host, whichever of them is the system.
    let opening = setup.part.side == .client ? forth.reversed : forth
    for flow in [opening, opening.reversed] {
      frame.removeAll(keepingCapacity: true)
      do { try builder.appendOpening(flow, to: &frame) } catch { continue }
      try writeFrame(at: time, comment: "")
    }
  }

  private mutating func close(_ flow: Flow, _ peer: PeerName, at time: Timestamp) throws(CaptureFileError) {
    guard open.remove(peer) != nil else { return }
    if let bluetooth { return try write([bluetooth.closing(link: link(of: peer))], at: time, comment: "") }
    for flow in [flow, flow.reversed] {
      frame.removeAll(keepingCapacity: true)
      do { try builder.appendClosing(flow, to: &frame) } catch { continue }
      try writeFrame(at: time, comment: "")
    }
  }

  private mutating func writeFrame(at time: Timestamp, comment: String) throws(CaptureFileError) {
    number += 1
    let header = PacketHeader(
      number: number, time: time, originalLength: frame.count, linkType: linkType)
    let frame = frame
    try writer.write(header, frame.span.bytes, comment: comment)
  }

  /// The flow from a peer to the system. The host has the protocol's port, for dissectors.
  private func flow(from peer: PeerName, _ carrier: Carrier, _ time: Timestamp) -> Flow {
    let far = peers.endpoint(of: peer, at: time) ?? Endpoint(.loopback, port: 40_000)
    // A system on this machine has the peers' address; one in virtual time has a documentation address (RFC 5737).
    let own = far.address == .loopback || far.address.family == .v6 ? far.address : IPAddress(v4: 0xc000_0202)
    return setup.part.side == .host
      ? Flow(carrier, from: far, to: Endpoint(own, port: port(carrier)))
      : Flow(carrier, from: Endpoint(far.address, port: port(carrier)), to: Endpoint(own, port: 40_001))
  }

  private func port(_ carrier: Carrier) -> UInt16 {
    setup.part.role?.owner.ports.first { $0.carrier == carrier }.map { ports[$0.id] ?? $0.standard } ?? 0
  }
}

extension RunLog.What {
  /// The transport; nil for other events.
  fileprivate var carrier: Carrier? {
    switch self {
    case .delivered(_, _, _, let carrier, _): carrier
    case .replied(_, _, let carrier): carrier
    default: nil
    }
  }
}

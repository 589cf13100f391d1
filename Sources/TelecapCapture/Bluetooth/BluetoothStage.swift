import TelecapRecording
import TelecapWire

/// Dissects Bluetooth frames to values of characteristics: links, L2CAP, ATT, and the discovery, which maps handles to
/// characteristics. Memory grows with the open links and the discovered attributes, up to a limit.
public struct BluetoothStage {
  /// The maximum number of links.
  static let mostLinks = 1_024
  /// The maximum number of discovered attributes over all servers.
  static let mostAttributes = 65_536

  /// The observed attributes.
  private var attributes = AttributeTraffic()
  private let dialects: [BluetoothUUID: Dialect]
  /// The characteristics of handles that the user named.
  private let named: [UInt16: BluetoothUUID]
  private var links: [UInt32: Link] = [:]
  /// The ends of the link that the last frame opened.
  private(set) var begun: (near: Endpoint, far: Endpoint)?
  /// The address of the controller; 0 if it is unknown.
  private var controller: UInt64 = 0
  private var discovered: [Attribute: BluetoothUUID] = [:]

  /// An attribute of a server.
  private struct Attribute: Hashable {
    let server: Endpoint
    let handle: UInt16
  }

  /// The state of one link.
  private struct Link {
    var near: Endpoint
    var far: Endpoint
    var pieces = [L2CAPReassembler](repeating: L2CAPReassembler(), count: 3)
    /// The type of attributes in the last request of each end.
    var asked: [BluetoothUUID?] = [nil, nil, nil]
    /// The values that the client writes in parts.
    var long = LongWrites()

    /// The end whose packet a fragment without a direction continues: the only one with an incomplete packet.
    var waiting: BluetoothFrame.LinkEnd? {
      pieces[0].isOpen == pieces[1].isOpen ? nil : pieces[0].isOpen ? .near : .far
    }
  }

  /// A stage without links, for the characteristics of the protocols of these ports.
  public init(_ ports: Ports) {
    var dialects: [BluetoothUUID: Dialect] = [:]
    for dialect in ports.protocols.flatMap(\.dialects) {
      for characteristic in dialect.characteristics {
        if let uuid = BluetoothUUID(characteristic.uuid), dialects[uuid] == nil { dialects[uuid] = dialect }
      }
    }
    self.dialects = dialects
    named = ports.attributes.compactMapValues { BluetoothUUID($0) }
  }

  /// Handles the next frame and emits each completed value with its flow and the port by which it is decoded.
  ///
  /// - Returns: the missing bytes of a truncated frame.
  public mutating func receive(
    _ frame: RawSpan, linkType: UInt16, _ emit: (Flow, PortMatch, RawSpan) throws -> Void
  ) rethrows -> Finding.Detail? {
    begun = nil
    switch BluetoothFrame.read(frame, linkType: linkType) {
    case .data(let number, let end, let piece, let range):
      guard var link = links.removeValue(forKey: number) ?? unknownLink(number) else { return nil }
      defer { links[number] = link }
      let from = end ?? link.waiting
      var reassembler = link.pieces[place(of: from)]
      link.pieces[place(of: from)] = L2CAPReassembler()
      defer { link.pieces[place(of: from)] = reassembler }
      try reassembler.receive(frame.extracting(range), piece) { channel, bytes in
        if channel == AttributePacket.channel { try attribute(bytes, &link, from, emit) }
      }
    case .connected(let number, let near, let far):
      links[number] = nil
      if links.count < BluetoothStage.mostLinks {
        let made = link(number, near: near ?? controller, far: far)
        links[number] = made
        begun = (made.near, made.far)
      }
    case .disconnected(let number): links[number] = nil
    case .controller(let address): controller = address
    case .other: break
    case .damaged(let needed, let had): return .lengths(needed: needed, had: had)
    }
    return nil
  }

  /// The observed attributes, and the named handles that did not occur.
  public var told: AttributeTraffic {
    var told = attributes
    let seen = Set(attributes.rows.map(\.handle))
    told.idle = named.keys.filter { !seen.contains($0) }
    return told
  }

  // MARK: - Links

  /// A link from before the recording, whose remote address is unknown.
  private func unknownLink(_ number: UInt32) -> Link? {
    links.count < BluetoothStage.mostLinks ? link(number, near: controller, far: 1) : nil
  }

  private func link(_ number: UInt32, near: UInt64, far: UInt64) -> Link {
    let handle = UInt16(truncatingIfNeeded: number)
    return Link(
      near: Endpoint(IPAddress(bluetooth: near), port: handle), far: Endpoint(IPAddress(bluetooth: far), port: handle))
  }

  private func place(of end: BluetoothFrame.LinkEnd?) -> Int { end.map { Int($0.rawValue) } ?? 2 }

  // MARK: - Attributes

  private mutating func attribute(
    _ bytes: RawSpan, _ link: inout Link, _ from: BluetoothFrame.LinkEnd?,
    _ emit: (Flow, PortMatch, RawSpan) throws -> Void
  ) rethrows {
    switch AttributePacket.read(bytes) {
    case .write(let handle, let value):
      // Only clients write. Without a direction assume that the central is the client.
      let isNear = from != .far
      let flow = isNear ? Flow(.ble, from: link.near, to: link.far) : Flow(.ble, from: link.far, to: link.near)
      try found(.write, handle, of: flow.destination, flow, .clientToServer, bytes.extracting(value), emit)
    case .part(let handle, let offset, let range): link.long.add(bytes.extracting(range), at: offset, of: handle)
    case .execute(let isWritten):
      let isNear = from != .far
      let flow = isNear ? Flow(.ble, from: link.near, to: link.far) : Flow(.ble, from: link.far, to: link.near)
      for (handle, value) in link.long.take() where isWritten {
        try found(.write, handle, of: flow.destination, flow, .clientToServer, value.span.bytes, emit)
      }
    case .notification(let handle, let value, let isConfirmed):
      let flow = told(by: from, link)
      try found(
        isConfirmed ? .indication : .notification, handle, of: flow.source, flow, .serverToClient,
        bytes.extracting(value),
        emit)
    case .notifications(let values):
      let flow = told(by: from, link)
      for (handle, value) in values {
        try found(.notification, handle, of: flow.source, flow, .serverToClient, bytes.extracting(value), emit)
      }
    case .asksForTypes(let type): link.asked[place(of: from)] = type
    case .types(let entries):
      guard link.asked[asker(of: from)] == .characteristic else { return }
      for entry in entries where entry.value.count >= 5 {
        // Properties, the handle of the value, and the UUID (Vol 3, Part G, 3.3.1).
        let declaration = bytes.extracting(entry.value)
        if let uuid = BluetoothUUID(declaration.extracting(3..<declaration.byteCount)) {
          remember(uuid, declaration.little16(1), of: told(by: from, link).source)
        }
      }
    case .information(let entries):
      for entry in entries { remember(entry.type, entry.handle, of: told(by: from, link).source) }
    case .other: return
    }
  }

  /// The index in `asked` of the end that sent the request: not the end that answers.
  private func asker(of from: BluetoothFrame.LinkEnd?) -> Int { from.map { $0 == .near ? 1 : 0 } ?? 2 }

  /// The flow of a server's packet; without a direction assume that the peripheral is the server.
  private func told(by from: BluetoothFrame.LinkEnd?, _ link: Link) -> Flow {
    from == .near ? Flow(.ble, from: link.near, to: link.far) : Flow(.ble, from: link.far, to: link.near)
  }

  private mutating func remember(_ uuid: BluetoothUUID, _ handle: UInt16, of server: Endpoint) {
    if !uuid.isDescription { attributes.discover(uuid.text, at: handle) }
    // Skip other attributes, because a capture of many devices may contain very many.
    guard dialects[uuid] != nil, discovered.count < BluetoothStage.mostAttributes else { return }
    discovered[Attribute(server: lasting(server), handle: handle)] = uuid
  }

  /// The server of an attribute. Its address identifies it over several links; a server without an address is
  /// identified by its link.
  private func lasting(_ server: Endpoint) -> Endpoint {
    server.address.low > 1 ? Endpoint(server.address, port: 0) : server
  }

  private mutating func found(
    _ kind: AttributeTraffic.Kind, _ handle: UInt16, of server: Endpoint, _ flow: Flow, _ direction: Direction,
    _ value: RawSpan, _ emit: (Flow, PortMatch, RawSpan) throws -> Void
  ) rethrows {
    let uuid = named[handle] ?? discovered[Attribute(server: lasting(server), handle: handle)]
    let dialect = uuid.flatMap { dialects[$0] }
    attributes.count(kind, handle, isKnown: dialect != nil)
    if let dialect { try emit(flow, PortMatch(dialect: dialect, direction: direction), value) }
  }
}

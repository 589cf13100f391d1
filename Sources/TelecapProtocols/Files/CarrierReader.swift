import TelecapConformance
import TelecapRecording
import TelecapWire

/// A transport of a protocol file: its ports, or the Bluetooth characteristics that identify its messages.
struct CarrierReader {
  let name: String
  /// The transport of the messages, in a word: `UDP`, `WiFi`.
  let title: String
  let ports: [PortRow]
  /// Its entry in the file.
  let entry: YAMLValue

  /// The transports of a file, whose names, ports and ids are distinct.
  static func all(
    _ root: YAMLValue, of owner: String, _ surroundings: ProtocolSurroundings
  ) throws(YAMLFileError) -> [CarrierReader] {
    var carriers: [CarrierReader] = []
    for entry in root["carriers"]?.list ?? [] {
      let one = try CarrierReader(entry, owner, besides: carriers, surroundings)
      carriers.append(one)
    }
    guard !carriers.isEmpty else { throw root.at("carriers").error("\"carriers\" is empty") }
    guard carriers.contains(where: { !$0.ports.isEmpty }) else {
      throw root.at("carriers").error("no transport has a port: a protocol is recognised by a port over udp or tcp")
    }
    return carriers
  }

  private init(
    _ entry: YAMLValue, _ owner: String, besides others: [CarrierReader], _ surroundings: ProtocolSurroundings
  ) throws(YAMLFileError) {
    self.entry = entry
    name = try Spelled.word(entry["name"], "a carrier's name", in: entry)
    if others.contains(where: { [name] in $0.name == name }) {
      throw entry.at("name").error("there is a transport \"\(name)\" already")
    }
    let list = try CarrierReader.portEntries(of: entry, name)
    var ports: [(row: PortRow, carrier: String)] = others.flatMap { other in other.ports.map { ($0, other.name) } }
    let start = ports.count
    for one in list {
      let id = entry["ports"] == nil ? "\(owner)-\(name)" : "\(owner)-\(one["over"]?.text ?? "")"
      let row = try PortReader.port(one, id: id, of: owner, over: name)
      if let other = ports.first(where: { $0.row.carrier == row.carrier && $0.row.standard == row.standard }) {
        throw one.at("port").error(
          "\(row.carrier.name.uppercased()) port \(row.standard) is that of \"\(other.carrier)\" already")
      }
      let known = surroundings.protocols.first { $0.ports.contains { $0.id == row.id } }?.name
      if let holder = known ?? (ports.contains { $0.row.id == row.id } ? owner : nil) {
        throw (one["id"] ?? one.at("name")).error("there is a port \"\(row.id)\" already, of \(holder)")
      }
      ports.append((row, name))
    }
    self.ports = ports[start...].map(\.row)
    title = entry["title"]?.text ?? CarrierReader.words(self.ports)
    if let several = entry["several"], several.flag != false, !self.ports.contains(where: { $0.carrier == .udp }) {
      throw several.error("\"several\" is about datagrams: it requires a port over udp")
    }
    if let framing = entry["framing"], framing.text != "none", !self.ports.contains(where: { $0.carrier == .tcp }) {
      throw framing.error(
        self.ports.isEmpty
          ? "over ble each write and notification is a message: there is no framing"
          : "over udp each datagram is a message: there is no framing")
    }
  }

  /// The entries with ports: those of "ports", or the transport itself if it has one; none over Bluetooth.
  private static func portEntries(of entry: YAMLValue, _ name: String) throws(YAMLFileError) -> [YAMLValue] {
    let isBluetooth = entry["over"]?.text == "ble"
    if entry["characteristics"] != nil, !isBluetooth {
      throw entry.at("characteristics").error("\"characteristics\" requires \"over: ble\"")
    }
    if let ports = entry["ports"] {
      if let other = ["over", "port", "id", "broadcast", "meaning"].first(where: { entry[$0] != nil }) {
        throw entry.at(other).error("\"\(other)\" has no effect next to \"ports\": each entry of \"ports\" has its own")
      }
      guard !ports.list.isEmpty else { throw ports.error("\"ports\" is empty") }
      return ports.list
    }
    guard entry["over"] != nil else { throw entry.error("transport \"\(name)\" has neither \"over\" nor \"ports\"") }
    guard isBluetooth else { return [entry] }
    if let other = ["port", "id", "broadcast", "meaning"].first(where: { entry[$0] != nil }) {
      throw entry.at(other).error("over ble there are no ports: \"\(other)\" has no effect")
    }
    guard entry["characteristics"]?.pairs.isEmpty == false else {
      throw entry.at("characteristics").error(
        "over ble name the message of each characteristic: characteristics: {UUID: MESSAGE}")
    }
    return []
  }

  private static func words(_ ports: [PortRow]) -> String {
    let names = ports.map { $0.carrier.name.uppercased() }
    return ports.isEmpty
      ? "Bluetooth" : names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
  }
}

/// Reads a port of a protocol file.
private enum PortReader {
  /// - Parameter id: the port's id where the file gives none.
  static func port(
    _ entry: YAMLValue, id: String, of owner: String, over name: String
  ) throws(YAMLFileError) -> PortRow {
    guard let word = entry["over"]?.text, let carrier = Carrier.overIP.first(where: { $0.name == word }) else {
      throw entry.error("a port of \"\(name)\" has no \"over\": udp or tcp")
    }
    guard let number = entry["port"]?.integer else { throw entry.error("transport \"\(name)\" has no \"port\"") }
    guard let port = UInt16(exactly: number), port > 0 else {
      throw entry.at("port").error("expected a port from 1 to 65535, found \(number)")
    }
    let isBroadcast = entry["broadcast"]?.flag == true
    if isBroadcast, carrier != .udp { throw entry.at("broadcast").error("only datagrams are broadcast: over udp") }
    return PortRow(
      entry["id"] == nil ? id : try Spelled.word(entry["id"], "a port's id", in: entry), carrier, port, dialect: name,
      end: isBroadcast ? .listener : .host,
      help: entry["meaning"]?.text ?? "\(word.uppercased()) port of \(owner.uppercased()) over \(name).")
  }
}

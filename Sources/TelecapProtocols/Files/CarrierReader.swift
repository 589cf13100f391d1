import TelecapConformance
import TelecapRecording
import TelecapWire

/// A carrier of a protocol file.
struct CarrierReader {
  let name: String
  let over: Carrier
  let port: UInt16
  /// The port's id.
  let id: String
  /// Over TCP, a length is before each message.
  private let isFramed: Bool

  /// The carriers of a file, told apart by name, port and id.
  static func all(
    _ root: YAMLValue, of owner: String, _ surroundings: ProtocolSurroundings
  ) throws(YAMLFileError) -> [CarrierReader] {
    var carriers: [CarrierReader] = []
    for entry in root["carriers"]?.list ?? [] {
      let one = try CarrierReader(entry, owner)
      if carriers.contains(where: { $0.name == one.name }) {
        throw entry.at("name").error("there is a carrier \"\(one.name)\" already")
      }
      if let other = carriers.first(where: { $0.over == one.over && $0.port == one.port }) {
        throw entry.at("port").error(
          "\(one.over.name.uppercased()) port \(one.port) is that of \"\(other.name)\" already")
      }
      let known = surroundings.protocols.first { $0.ports.contains { $0.id == one.id } }?.name
      if let holder = known ?? (carriers.contains { $0.id == one.id } ? owner : nil) {
        throw (entry["id"] ?? entry.at("name")).error("there is a port \"\(one.id)\" already, of \(holder)")
      }
      carriers.append(one)
    }
    guard !carriers.isEmpty else { throw root.at("carriers").error("\"carriers\" names none") }
    return carriers
  }

  private init(_ entry: YAMLValue, _ owner: String) throws(YAMLFileError) {
    name = try Spelled.word(entry["name"], "a carrier's name", in: entry)
    over = entry["over"]?.text == "tcp" ? .tcp : .udp
    let number = entry["port"]?.integer ?? 0
    guard let port = UInt16(exactly: number), port > 0 else {
      throw entry.at("port").error("expected a port from 1 to 65535, found \(number)")
    }
    self.port = port
    id = entry["id"] == nil ? "\(owner)-\(name)" : try Spelled.word(entry["id"], "a port's id", in: entry)
    if over == .udp, let framing = entry["framing"], framing.text != "none" {
      throw framing.error("over udp each datagram is a message: there is no framing")
    }
    isFramed = entry["framing"]?.text != "none"
  }

  /// How its payloads are cut into messages. A TCP stream keeps no borders between messages (RFC 9293, 3.8): without a frame,
  /// each has to show its own size.
  func framing(_ recognition: Recognition, _ layouts: [Layout]) -> Framing {
    if over == .udp { return .none }
    if isFramed { return .length16(shortest: recognition.header) }
    let possible = layouts.filter { recognition.code != nil || $0.dialects.contains(name) }
    return .selfDelimited(MessageSizes(recognition, possible))
  }
}

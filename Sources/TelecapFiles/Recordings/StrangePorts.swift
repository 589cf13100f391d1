import TelecapText
import TelecapWire

/// The ports and characteristics in a file that no protocol here has. They are from a telecap with another protocol,
/// whose messages are not recognised here.
struct StrangePorts {
  private let settings: [String]
  /// The maximum number of listed ports.
  private static let most = 4

  /// - Parameters:
  ///   - written: the numbers in the file, by the ports' ids.
  ///   - protocols: all known protocols.
  init(_ written: [String: UInt16], _ protocols: [WireProtocol]) {
    let ports = Ports(protocols)
    settings = written.sorted { $0.key < $1.key }.filter { id, _ in
      guard id.hasPrefix(Ports.attributePrefix) else { return ports[id] == nil }
      return !Ports.isAttribute(String(id.dropFirst(Ports.attributePrefix.count)), of: protocols)
    }.map { id, number in "\(id.prefix(60))=\(number)" }
  }

  /// A note about them, as a sentence; nil if there are none.
  var note: String? {
    if settings.isEmpty { return nil }
    let others = settings.count - StrangePorts.most
    let named = settings.prefix(StrangePorts.most) + (others > 0 ? ["\(Numbers.grouped(others)) more"] : [])
    return "it was recorded with \(Array(named).list(or: false)), of a protocol that is not known here, whose messages "
      + "are not looked for; --protocol FILE makes it known"
  }
}

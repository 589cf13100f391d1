import TelecapText
import TelecapWire

/// The ports and characteristics that a file says it was recorded with, and that no protocol here has: it was made by a telecap that
/// knew another protocol, whose messages are not looked for.
struct StrangePorts {
  private let settings: [String]
  /// So many are named.
  private static let most = 4

  /// - Parameters:
  ///   - told: the numbers that the file says, by the ports' ids.
  ///   - protocols: all that are known.
  init(_ told: [String: UInt16], _ protocols: [WireProtocol]) {
    let ports = Ports(protocols)
    settings = told.sorted { $0.key < $1.key }.filter { id, _ in
      guard id.hasPrefix(Ports.attributePrefix) else { return ports[id] == nil }
      return !Ports.isAttribute(String(id.dropFirst(Ports.attributePrefix.count)), of: protocols)
    }.map { id, number in "\(id.prefix(60))=\(number)" }
  }

  /// What a person should know of them, in a sentence; nil where there are none.
  var note: String? {
    if settings.isEmpty { return nil }
    let others = settings.count - StrangePorts.most
    let named = settings.prefix(StrangePorts.most) + (others > 0 ? ["\(Numbers.grouped(others)) more"] : [])
    return "it was recorded with \(Array(named).list(or: false)), of a protocol that is not known here, whose messages "
      + "are not looked for; --protocol FILE makes it known"
  }
}

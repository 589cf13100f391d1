import TelecapRecording
import TelecapText

/// The packets of a recording in which no message was looked for: those at ports that are no protocol's, and frames that cannot
/// be decapsulated. Counted in memory that does not grow with them.
public struct UnreadTraffic: Hashable, Sendable {
  /// A port that is no protocol's, at either end of its packets.
  public struct Port: Hashable, Sendable {
    /// UDP or TCP.
    public var carrier: Carrier
    /// Its number.
    public var number: UInt16
    /// How many packets went to it or came from it.
    public var packets: Int
  }

  /// Packets at ports that are no protocol's.
  public private(set) var atOtherPorts = 0
  /// Packets that are neither UDP nor TCP over IP, nor values of Bluetooth that were understood.
  public private(set) var ofOtherProtocols = 0
  /// Packets of link types that are not known, by their LINKTYPE_ numbers.
  public private(set) var linkTypes: [UInt16: Int] = [:]
  /// Packets of these, which carry others and are not decapsulated: those are also at other ports, or of other protocols.
  public private(set) var encapsulations: [Encapsulation: Int] = [:]
  /// Packets that were found inside these, which were decapsulated; a packet counts for each that it is in.
  public private(set) var entered: [Encapsulation: Int] = [:]
  /// Values of Bluetooth attributes, those that were understood too.
  public var attributes = AttributeTraffic()
  /// Packets of each port, first those of UDP; empty before the first.
  private var counts: [Int] = []

  /// Nothing yet.
  public init() {}

  /// All of them.
  public var packets: Int { atOtherPorts + ofOtherProtocols + linkTypes.values.reduce(0, +) }

  /// Counts a packet of this flow.
  public mutating func count(_ flow: Flow) {
    if counts.isEmpty { counts = [Int](repeating: 0, count: UnreadTraffic.ports * Carrier.overIP.count) }
    atOtherPorts += 1
    let first = UnreadTraffic.first(of: flow.carrier)
    counts[first + Int(flow.destination.port)] += 1
    if flow.source.port != flow.destination.port { counts[first + Int(flow.source.port)] += 1 }
  }

  /// Counts a packet of a link type that is not known.
  public mutating func count(linkType: UInt16) { linkTypes[linkType, default: 0] += 1 }

  /// Counts a packet that carries others, in addition to its own count.
  public mutating func count(_ encapsulation: Encapsulation) { encapsulations[encapsulation, default: 0] += 1 }

  /// Counts a packet that was found inside these, in addition to its own count.
  public mutating func count(entered set: EncapsulationSet) {
    for encapsulation in Encapsulation.allCases where set.contains(encapsulation) {
      entered[encapsulation, default: 0] += 1
    }
  }

  /// Counts a packet that is neither UDP nor TCP.
  public mutating func countOther() { ofOtherProtocols += 1 }

  /// The ports with the most packets, the busiest first; of equally busy ones the lower first.
  public func busiest(_ limit: Int) -> [Port] {
    guard !counts.isEmpty else { return [] }
    let ports = Carrier.overIP.flatMap { carrier in
      (0..<UnreadTraffic.ports).compactMap { number -> Port? in
        let packets = counts[UnreadTraffic.first(of: carrier) + number]
        return packets > 0 ? Port(carrier: carrier, number: UInt16(number), packets: packets) : nil
      }
    }
    return Array(ports.sorted { ($1.packets, $0.number) < ($0.packets, $1.number) }.prefix(limit))
  }

  private static let ports = 1 << 16

  private static func first(of carrier: Carrier) -> Int { carrier == .udp ? 0 : ports }
}

extension UnreadTraffic {
  /// Notes on a recording of which this was not read, as sentences.
  ///
  /// - Parameter messages: how many messages were understood in it; where there are some, what is at other ports is others'.
  public func notes(messages: Int) -> [String] {
    var notes: [String] = []
    if messages == 0, atOtherPorts > 0 {
      notes.append(
        "no message was understood: there is traffic at \(portsInWords), where no protocol is expected; --port ID=NUMBER sets "
          + "the port of a protocol")
    } else if messages == 0, ofOtherProtocols > 0 {
      notes.append(
        "no message was understood: \(UnreadTraffic.packets(ofOtherProtocols)) without UDP or TCP over IP, and without a known Bluetooth value"
      )
    }
    let discovered = messages == 0 ? attributes.discoveredNote : nil
    notes += [attributes.note, discovered, attributes.idleNote].compactMap(\.self)
    return notes + linkTypeNotes + encapsulationNotes
  }

  /// How many packets of which link types cannot be read, in sentences.
  public var linkTypeNotes: [String] {
    linkTypes.sorted { $0.key < $1.key }.map { type, count in
      "\(UnreadTraffic.packets(count)) cannot be read: link type \(type) is not known"
    }
  }

  /// How many packets carry others that are not looked into, in sentences: whatever else was understood.
  public var encapsulationNotes: [String] {
    encapsulations.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }.map { encapsulation, count in
      "\(UnreadTraffic.packets(count)) cannot be read: \(encapsulation.name), which carries other packets, is not decapsulated"
    }
  }

  /// The encapsulations in which packets were found, with the number of those, such as `GRE (3 packets), VXLAN (1 packet)`;
  /// empty where there are none.
  public var enteredInWords: String {
    entered.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.name) (\(UnreadTraffic.packets($0.value)))" }.joined(separator: ", ")
  }

  /// The busiest ports with their packets; empty where there are none.
  public var portsInWords: String {
    busiest(UnreadTraffic.told).map { "\($0.carrier.name) \($0.number) (\(UnreadTraffic.packets($0.packets)))" }
      .list(or: false)
  }

  private static func packets(_ count: Int) -> String {
    "\(Numbers.grouped(count)) \(count == 1 ? "packet" : "packets")"
  }

  /// The maximum number of ports in a note.
  public static let told = 4
}

extension UnreadTraffic: CustomStringConvertible {
  /// The notes on unread traffic if no message was read.
  public var description: String { notes(messages: 0).joined(separator: "; ") }
}

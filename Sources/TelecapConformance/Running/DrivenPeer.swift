import TelecapModels
import TelecapRecording
import TelecapWire

/// A peer that a script can drive in virtual time, with actions of its user.
public protocol DrivenPeer: Peer {
  /// Performs an action of its user; returns the HID reports that it sends for it.
  mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]]
  /// The options that it declares before a run.
  var said: SetupOptions { get }
}

extension DrivenPeer {
  public mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] { [] }
  public var said: SetupOptions { SetupOptions() }
}

/// A peer without a network: it only performs actions.
public protocol Device: DrivenPeer {}

extension Device {
  public var nextWake: Timestamp? { nil }
  public mutating func start(at time: Timestamp, _ perform: Perform) {}
  public mutating func stop(at time: Timestamp, _ perform: Perform) {}
  public mutating func advance(to time: Timestamp, _ perform: Perform) {}
  public mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {}
}

/// Addresses of the peers in a virtual run, from the documentation ranges (RFC 5737).
public enum VirtualAddresses {
  /// The host to which a phone or a mouse under test connects.
  public static let host = Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000)

  /// The address of a peer, by its name in a scenario.
  static func endpoint(of peer: PeerName) -> Endpoint {
    guard peer != "host" else { return host }
    if let namesake = SamePortPeer.namesake(of: peer) {
      let end = endpoint(of: namesake)
      return Endpoint(IPAddress(v4: 0xcb00_7100 | UInt32(end.port & 0xff)), port: end.port)
    }
    let number = peer.utf8.reduce(UInt32(0)) { ($0 &* 31 &+ UInt32($1)) & 0xfff }
    return Endpoint(IPAddress(v4: 0xc633_6400 | (number & 0xff)), port: 40_000 + UInt16(number))
  }
}

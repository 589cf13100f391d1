import TelecapRecording
import TelecapWire

/// The identity of a peer in a recording or a relay: its address and port with the transport, since one port of two
/// transports belongs to two peers. In a protocol that mixes transports, the address only.
public struct PeerPlace: Hashable, Sendable {
  /// Its address, with the port where that is part of its identity.
  public let end: Endpoint
  /// Nil where the protocol mixes transports.
  public let carrier: Carrier?

  /// The peer of this protocol at this address; an unknown protocol does not mix transports.
  public init(_ end: Endpoint, over carrier: Carrier, of owner: WireProtocol?) {
    let isMixed = owner?.mixesCarriers == true
    self.end = isMixed ? Endpoint(end.address, port: 0) : end
    self.carrier = isMixed ? nil : carrier
  }
}

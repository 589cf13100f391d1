import TelecapRecording
import TelecapWire

/// What tells one peer from others in a recording or a relay: its end and the carrier, for the same number of a port over another one is
/// somebody else; of a protocol that mixes carriers its address alone.
public struct PeerPlace: Hashable, Sendable {
  /// Its address, with the port where that tells it apart.
  public let end: Endpoint
  /// Nil where the protocol mixes carriers.
  public let carrier: Carrier?

  /// Who speaks this protocol from there; an unknown one does not mix carriers.
  public init(_ end: Endpoint, over carrier: Carrier, of owner: WireProtocol?) {
    let isMixed = owner?.mixesCarriers == true
    self.end = isMixed ? Endpoint(end.address, port: 0) : end
    self.carrier = isMixed ? nil : carrier
  }
}

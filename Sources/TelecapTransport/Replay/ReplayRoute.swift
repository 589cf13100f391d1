import TelecapRecording

/// Where the packets of one flow of a recording are sent.
public struct ReplayRoute: Hashable, Sendable {
  /// Datagrams, or a stream.
  public var carrier: Carrier
  /// To whom.
  public var destination: Endpoint
  /// From which address and port of this machine; nil lets the system choose.
  public var local: Endpoint?
  /// The number of the socket; routes of the same number share one.
  public var lane: Int

  /// A route of these values.
  public init(carrier: Carrier, destination: Endpoint, local: Endpoint? = nil, lane: Int) {
    self.carrier = carrier
    self.destination = destination
    self.local = local
    self.lane = lane
  }
}

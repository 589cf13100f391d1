import TelecapRecording

/// The route for the packets of one flow of a recording.
public struct ReplayRoute: Hashable, Sendable {
  /// The transport.
  public var carrier: Carrier
  /// The destination.
  public var destination: Endpoint
  /// The local address and port; nil for the system's choice.
  public var local: Endpoint?
  /// The number of the socket; routes with the same number share one.
  public var lane: Int

  /// A route with these values.
  public init(carrier: Carrier, destination: Endpoint, local: Endpoint? = nil, lane: Int) {
    self.carrier = carrier
    self.destination = destination
    self.local = local
    self.lane = lane
  }
}

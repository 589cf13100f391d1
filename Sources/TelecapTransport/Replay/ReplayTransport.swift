import TelecapRecording

/// Where a replay's packets go: sockets, or a model in virtual time.
protocol ReplayTransport: AnyObject {
  /// Takes a datagram, to be sent with the next `flush`. False when there is no room until then.
  func load(_ packet: ReplayPacket, _ bytes: RawSpan) throws -> Bool
  /// Sends all datagrams that are loaded.
  func flush()
  /// Sends what a packet brings to streams, at once.
  func send(_ packet: ReplayPacket, _ pieces: ArraySlice<StreamPiece>, _ bytes: RawSpan) throws
  /// Takes what has come back, and sends what still waits, without waiting.
  func receive() throws
}

import TelecapRecording

/// Where a replay's packets go: sockets, or a run in virtual time.
protocol ReplayTransport {
  /// The recording sent this, whatever the plan makes of it. Comes before the packet is loaded.
  mutating func planned(_ packet: ReplayPacket, _ bytes: RawSpan) throws
  /// Takes a datagram, to be sent with the next `flush`. False when there is no room until then.
  mutating func load(_ packet: ReplayPacket, _ bytes: RawSpan) throws -> Bool
  /// Sends all datagrams that are loaded; `time` is now, in nanoseconds from the start of the run.
  mutating func flush(at time: Nanoseconds) throws
  /// Sends what a packet brings to streams, at once.
  mutating func send(
    _ packet: ReplayPacket, _ pieces: ArraySlice<StreamPiece>, _ bytes: RawSpan, at time: Int64) throws
  /// There is time for other things, such as taking what has come back; `packets` have been sent so far.
  mutating func idle(packets: Int) throws
}

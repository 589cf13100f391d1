import TelecapRecording

/// The target of a replay's packets: sockets, or a run in virtual time.
protocol ReplayTransport {
  /// Handles a packet that the recording sent, whatever the plan decides. Comes before the packet is loaded.
  mutating func planned(_ packet: ReplayPacket, _ bytes: RawSpan) throws
  /// Loads a datagram for the next `flush`. Returns false when there is no room until then.
  mutating func load(_ packet: ReplayPacket, _ bytes: RawSpan) throws -> Bool
  /// Sends all loaded datagrams; `time` is now, in nanoseconds from the start of the run.
  mutating func flush(at time: Nanoseconds) throws
  /// Sends a packet's parts of byte streams at once.
  mutating func send(
    _ packet: ReplayPacket, _ pieces: ArraySlice<StreamPiece>, _ bytes: RawSpan, at time: Int64) throws
  /// Called when there is time for other work, such as reading replies; `packets` is the number sent so far.
  mutating func idle(packets: Int) throws
}

import TelecapRecording

extension KeyedDraws {
  /// The numbers of one impairment in a run with this seed: an item is a packet.
  public init(seed: UInt64, impairment: ImpairmentID) { self.init(seed: seed, stream: UInt64(impairment.number)) }
}

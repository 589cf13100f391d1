import TelecapRecording

extension KeyedDraws {
  /// The random numbers of one impairment in a run with this seed; the item is the packet.
  public init(seed: UInt64, impairment: ImpairmentID) { self.init(seed: seed, stream: UInt64(impairment.number)) }
}

/// The chunks that have packets in flight, by their numbers. They are kept here, and handed out without being counted: a
/// packet asks for its chunk several times, and would pay each time.
struct ChunksInUse {
  private var kept: [ReplayChunk?] = []
  private var handles: [Unmanaged<ReplayChunk>?] = []
  /// The number of the first.
  private var first = 0

  /// Keeps the next chunk: they come in the order of their numbers. The handle is good until it is removed.
  mutating func append(_ chunk: ReplayChunk) -> Unmanaged<ReplayChunk> {
    let handle = Unmanaged.passUnretained(chunk)
    kept.append(chunk)
    handles.append(handle)
    return handle
  }

  /// The chunk of the packet at an address; nil where it is kept no more.
  @inline(__always)
  subscript(address: Int) -> Unmanaged<ReplayChunk>? {
    let index = (address >> ReplayChunk.addressBits) - first
    return index >= 0 && index < handles.count ? handles[index] : nil
  }

  /// Lets go of the chunk of this number.
  mutating func remove(_ number: Int) -> ReplayChunk? {
    let chunk = kept[number - first]
    (kept[number - first], handles[number - first]) = (nil, nil)
    var gone = 0
    while gone < kept.count, kept[gone] == nil { gone += 1 }
    if gone > 0 {
      kept.removeFirst(gone)
      handles.removeFirst(gone)
      first += gone
    }
    return chunk
  }
}

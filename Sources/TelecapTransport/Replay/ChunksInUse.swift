/// The chunks with packets in flight, by number. They are kept here and used without reference counting, since each
/// packet needs its chunk several times.
struct ChunksInUse {
  private var kept: [ReplayChunk?] = []
  private var handles: [Unmanaged<ReplayChunk>?] = []
  /// The number of the first chunk.
  private var first = 0

  /// Keeps the next chunk, in the order of numbers. The handle is valid until it is removed.
  mutating func append(_ chunk: ReplayChunk) -> Unmanaged<ReplayChunk> {
    let handle = Unmanaged.passUnretained(chunk)
    kept.append(chunk)
    handles.append(handle)
    return handle
  }

  /// The chunk of the packet at an address; nil where it was removed.
  @inline(__always)
  subscript(address: Int) -> Unmanaged<ReplayChunk>? {
    let index = (address >> ReplayChunk.addressBits) - first
    return index >= 0 && index < handles.count ? handles[index] : nil
  }

  /// Removes the chunk of this number.
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

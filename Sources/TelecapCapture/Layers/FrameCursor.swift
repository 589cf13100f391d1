import TelecapWire

/// A position in a frame, with the numbers of captured bytes and of bytes on the wire.
struct FrameCursor {
  /// The offset of the next layer's first byte.
  var at = 0
  /// The number of captured bytes of the frame.
  let captured: Int
  /// The end of the current layer in the frame on the wire, at most the end of the layer around it.
  var end: Int
  /// The encapsulations that were decapsulated so far.
  private(set) var encapsulations = EncapsulationSet()
  /// The depth of these encapsulations.
  private(set) var depth: UInt8 = 0

  /// An original length below the captured one is ignored.
  init(captured: Int, originalLength: Int) {
    self.captured = captured
    end = max(captured, originalLength)
  }

  /// Continues inside the encapsulations of a payload or a fragment.
  init(captured: Int, originalLength: Int, inside encapsulations: EncapsulationSet, depth: UInt8) {
    self.init(captured: captured, originalLength: originalLength)
    (self.encapsulations, self.depth) = (encapsulations, depth)
  }

  /// Records that an encapsulation is decapsulated. Their depth is limited, which also limits the work for a frame.
  mutating func enter(_ encapsulation: Encapsulation) throws(NoPayload) {
    guard depth < UInt8(Encapsulation.maxDepth) else { throw .encapsulated(.tooDeep) }
    depth += 1
    encapsulations.insert(encapsulation)
  }

  /// Checks that a header of `count` bytes is present at the cursor.
  @inline(__always)
  func need(_ count: Int, _ layer: Layer) throws(NoPayload) {
    if at + count > min(end, captured) { throw shortage(count, layer) }
  }

  @inline(never)
  private func shortage(_ count: Int, _ layer: Layer) -> NoPayload {
    at + count > end
      ? .truncated(layer, needed: count, had: max(0, end - at))
      : .cutShort(layer, needed: count, had: max(0, captured - at))
  }

  /// Ends the packet `count` bytes from here, by the layer's own length; bytes after it are a trailer.
  @inline(__always)
  mutating func close(after count: Int, _ layer: Layer) throws(NoPayload) {
    if at + count > end { throw .truncated(layer, needed: count, had: end - at) }
    end = at + count
  }

  /// The captured bytes from here to the end, and the number of bytes that the snapshot length cut off.
  @inline(__always)
  func rest() -> (range: Range<Int>, missing: Int) {
    let last = min(end, captured)
    return at <= last ? (at..<last, end - last) : (last..<last, end - at)
  }
}

extension RawSpan {
  /// The two bytes at `at` as a number, least significant first.
  @inline(__always)
  func little16(_ at: Int) -> UInt16 { UInt16(littleEndian: unsafeLoadUnaligned(fromByteOffset: at, as: UInt16.self)) }

  /// The four bytes at `at` as a number, least significant first.
  @inline(__always)
  func little32(_ at: Int) -> UInt32 { UInt32(littleEndian: unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self)) }

  /// The two bytes at `at` as a number, most significant first.
  @inline(__always)
  func big16(_ at: Int) -> UInt16 { UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: at, as: UInt16.self)) }

  /// The four bytes at `at` as a number, most significant first.
  @inline(__always)
  func big32(_ at: Int) -> UInt32 { UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self)) }

  /// The eight bytes at `at` as a number, most significant first.
  @inline(__always)
  func big64(_ at: Int) -> UInt64 { UInt64(bigEndian: unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)) }

  /// The byte at `at`.
  @inline(__always)
  func byte(_ at: Int) -> UInt8 { unsafeLoad(fromByteOffset: at, as: UInt8.self) }
}

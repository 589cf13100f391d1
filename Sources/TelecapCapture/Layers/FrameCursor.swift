import TelecapWire

/// A place in a frame, with what lies before it: the bytes that were captured, and the bytes that there were on the wire.
struct FrameCursor {
  /// The place of the next layer's first byte.
  var at = 0
  /// How many bytes of the frame were captured.
  let captured: Int
  /// Where the current layer ends in the frame as it was on the wire: at most where the layer around it ends.
  var end: Int
  /// The encapsulations that were decapsulated on the way here.
  private(set) var encapsulations = EncapsulationSet()
  /// How many there were, one inside another.
  private(set) var depth: UInt8 = 0

  /// A length that is not the wire's (less than was captured) is not believed.
  init(captured: Int, originalLength: Int) {
    self.captured = captured
    end = max(captured, originalLength)
  }

  /// Goes on inside the encapsulations that a payload or a fragment was found in.
  init(captured: Int, originalLength: Int, inside encapsulations: EncapsulationSet, depth: UInt8) {
    self.init(captured: captured, originalLength: originalLength)
    (self.encapsulations, self.depth) = (encapsulations, depth)
  }

  /// Notes that an encapsulation is decapsulated; there is a limit to their depth, which also bounds the work for a frame.
  mutating func enter(_ encapsulation: Encapsulation) throws(NoPayload) {
    guard depth < UInt8(Encapsulation.maxDepth) else { throw .encapsulated(.tooDeep) }
    depth += 1
    encapsulations.insert(encapsulation)
  }

  /// Makes sure that a header of `count` bytes stands here.
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

  /// Ends the packet `count` bytes from here, as the layer's own length says; what follows is a trailer.
  @inline(__always)
  mutating func close(after count: Int, _ layer: Layer) throws(NoPayload) {
    if at + count > end { throw .truncated(layer, needed: count, had: end - at) }
    end = at + count
  }

  /// The captured bytes from here to the end, and how many the snapshot length cut off.
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

/// A part of a message whose size its own bytes show: text or bytes that a number counts or a byte ends, and a field that may be
/// missing.
struct VariablePart: Hashable, Sendable {
  /// The size of a part that is there.
  enum Extent: Hashable {
    /// As many bytes as a number of the message says, times `step`, without `less` of them.
    case counted(by: FieldPlace, step: Int, less: Int)
    /// So many bytes.
    case fixed(Int)
    /// A payload of `size` bytes, of which as many were sent as a number of the message says.
    case cut(countedBy: FieldPlace, size: Int)
    /// As many entries, each of which shows its size, as a number of the message says.
    case entries(RepeatedPart, countedBy: FieldPlace)
    /// Up to and with the first byte that ends it, and on to the next multiple of its step from the start of the message.
    case terminated(Terminator)
  }

  /// A number of the message whose bits show whether the part is there.
  struct Condition: Hashable {
    let place: FieldPlace
    let mask: UInt64
    let value: UInt64
  }

  /// The least offset at which it begins.
  let offset: Int
  let extent: Extent
  /// Nil where it is always there.
  var condition: Condition?
  /// The message may end before it.
  var isOptional = false

  /// The places of the message that show its size.
  fileprivate var sources: (FieldPlace?, FieldPlace?) {
    switch extent {
    case .counted(let place, _, _), .cut(let place, _), .entries(_, let place): (condition?.place, place)
    case .fixed, .terminated: (condition?.place, nil)
    }
  }
}

/// The sizes that some parts of a message have in its bytes. It allocates nothing.
private struct PartSizes {
  /// The sizes of all parts up to one, together.
  private var sums = SIMD32<Int32>.zero
  private(set) var total = 0
  private var count = 0

  mutating func append(_ size: Int) {
    total = min(total &+ size, Int(Int32.max))
    sums[count] = Int32(truncatingIfNeeded: total)
    count += 1
  }

  func sum(before index: Int) -> Int { index == 0 ? 0 : Int(sums[index - 1]) }

  /// The offset of a place of the message after these parts; nil where its field is missing.
  func offset(of place: FieldPlace) -> Int? {
    let shift = sum(before: place.partsBefore)
    if place.mayBeMissing, sum(before: place.partsBefore + 1) == shift { return nil }
    return place.offset &+ shift
  }
}

/// The parts of a message up to a field whose sizes its bytes show. They live as long as the process, as tables of messages do, so that
/// a place in a message is copied without counting.
struct VariableParts: Sendable {
  private final class Box: Sendable {
    let all: [VariablePart]
    init(_ all: [VariablePart]) { self.all = all }
  }

  /// The maximum number of parts of a message.
  static let maximum = 32

  private let handle: Unmanaged<Box>

  init(_ all: [VariablePart]) { handle = .passRetained(Box(all)) }

  var all: [VariablePart] { handle._withUnsafeGuaranteedRef { $0.all } }

  /// The sizes of the first `count` parts in bytes that may end too early: what is not there has none.
  private func sizes(_ count: Int, in bytes: RawSpan) -> PartSizes {
    handle._withUnsafeGuaranteedRef { box in
      var sizes = PartSizes()
      for index in 0..<min(count, box.all.count) { sizes.append(box.all[index].size(in: bytes, after: sizes)) }
      return sizes
    }
  }

  /// The bytes of the first `count` parts together.
  func size(of count: Int, in bytes: RawSpan) -> Int { sizes(count, in: bytes).total }

  /// The bytes of all parts together.
  func size(in bytes: RawSpan) -> Int { size(of: VariableParts.maximum, in: bytes) }

  /// The size of one part.
  func size(ofPart index: Int, in bytes: RawSpan) -> Int {
    let sizes = sizes(index + 1, in: bytes)
    return sizes.total - sizes.sum(before: index)
  }

  /// Whether a part is there: it may be empty.
  func isPresent(_ index: Int, in bytes: RawSpan) -> Bool {
    handle._withUnsafeGuaranteedRef { $0.all[index].isPresent(in: bytes, after: sizes(index, in: bytes)) }
  }

  /// The bytes of all parts together, or how many bytes show it where they are not all there; nil of both where nothing shows it.
  func extent(in bytes: RawSpan) -> (size: Int?, needed: Int?) {
    handle._withUnsafeGuaranteedRef { box in
      var sizes = PartSizes()
      for part in box.all {
        if part.isOptional { return (nil, nil) }
        for place in [part.sources.0, part.sources.1].compactMap(\.self) {
          guard let offset = sizes.offset(of: place) else { continue }
          if offset + place.size > bytes.byteCount { return (nil, offset + place.size) }
        }
        let size = part.size(in: bytes, after: sizes)
        if part.showsSizeAtEnd, part.offset + sizes.total + size > bytes.byteCount {
          return (nil, part.offset + sizes.total + size)
        }
        sizes.append(size)
      }
      return (sizes.total, nil)
    }
  }
}

extension VariableParts: Hashable {
  static func == (left: VariableParts, right: VariableParts) -> Bool {
    left.handle.toOpaque() == right.handle.toOpaque() || left.all == right.all
  }

  func hash(into hasher: inout Hasher) { hasher.combine(all) }
}

extension VariablePart {
  /// The bytes of a text of `count` bytes that begins at `start`, with the byte that ends it and those up to the next multiple of `step`.
  static func terminatedSize(of count: Int, at start: Int, _ step: Int) -> Int {
    (start + count + step) / step * step - start
  }

  /// Whether only its own bytes show where it ends.
  fileprivate var showsSizeAtEnd: Bool {
    switch extent {
    case .terminated, .entries: true
    case .counted, .fixed, .cut: false
    }
  }

  fileprivate func isPresent(in bytes: RawSpan, after sizes: PartSizes) -> Bool {
    if isOptional, bytes.byteCount <= offset + sizes.total { return false }
    guard let condition else { return true }
    guard let start = sizes.offset(of: condition.place), let bits = condition.place.bits(in: bytes, at: start) else {
      return false
    }
    return bits & condition.mask == condition.value
  }

  /// Its bytes, after parts of these sizes.
  fileprivate func size(in bytes: RawSpan, after sizes: PartSizes) -> Int {
    guard isPresent(in: bytes, after: sizes) else { return 0 }
    switch extent {
    case .fixed(let size): return size
    case .counted(let place, let step, let less):
      guard let start = sizes.offset(of: place), let count = place.bits(in: bytes, at: start) else { return 0 }
      return max(0, Int(clamping: min(count, UInt64(Int32.max))) * step - less)
    case .cut(let place, _):
      guard let start = sizes.offset(of: place), let count = place.bits(in: bytes, at: start) else { return 0 }
      return Int(clamping: min(count, UInt64(Int32.max)))
    case .entries(let repeated, let place):
      guard let start = sizes.offset(of: place), let count = place.bits(in: bytes, at: start) else { return 0 }
      return repeated.size(of: Int(clamping: min(count, UInt64(Int32.max))), from: offset + sizes.total, in: bytes)
    case .terminated(let terminator):
      let start = offset + sizes.total
      let end = bytes.end(of: start..<max(start, bytes.byteCount), by: terminator.byte)
      // Without that byte one more is needed than there is.
      return VariablePart.terminatedSize(of: end - start, at: start, terminator.step)
    }
  }
}

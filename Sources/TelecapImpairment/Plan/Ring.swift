/// A queue in one array that grows by doubling and is reused. An element keeps its index from its insertion to its
/// removal: 0, 1, 2 … over the lifetime of the ring.
@usableFromInline
struct Ring<Element: Sendable>: Sendable {
  @usableFromInline var storage: ContiguousArray<Element>
  @usableFromInline let placeholder: Element
  /// The index of the first element.
  @usableFromInline var startIndex = 0
  /// The index of the next element to append.
  @usableFromInline var endIndex = 0

  /// An empty ring; `placeholder` fills unused storage.
  @inlinable
  init(placeholder: Element) {
    self.placeholder = placeholder
    storage = ContiguousArray(repeating: placeholder, count: 16)
  }

  @inlinable
  var count: Int { endIndex - startIndex }
  @inlinable
  var isEmpty: Bool { endIndex == startIndex }
  @inlinable
  var first: Element? { isEmpty ? nil : self[startIndex] }

  /// The element with an index that is in the ring.
  @inlinable
  subscript(index: Int) -> Element {
    @inline(__always) get { storage[index & (storage.count - 1)] }
    @inline(__always) _modify { yield &storage[index & (storage.count - 1)] }
  }

  @inlinable
  @inline(__always)
  mutating func append(_ element: Element) {
    if count == storage.count { grow() }
    storage[endIndex & (storage.count - 1)] = element
    endIndex += 1
  }

  @inlinable
  @inline(__always)
  mutating func removeFirst() { startIndex += 1 }

  @inlinable
  @inline(never)
  mutating func grow() {
    var larger = ContiguousArray(repeating: placeholder, count: storage.count * 2)
    for index in startIndex..<endIndex { larger[index & (larger.count - 1)] = self[index] }
    storage = larger
  }
}

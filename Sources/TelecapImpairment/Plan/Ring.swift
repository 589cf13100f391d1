/// A queue in one array that grows by doubling and is used again and again. An element keeps its index from when it is
/// appended until it is removed: 0, 1, 2 … over the life of the ring.
struct Ring<Element: Sendable>: Sendable {
  private var storage: ContiguousArray<Element>
  private let placeholder: Element
  /// The index of the first element.
  private(set) var startIndex = 0
  /// The index that the next element will have.
  private(set) var endIndex = 0

  /// An empty ring; `placeholder` fills the room that is not in use.
  init(placeholder: Element) {
    self.placeholder = placeholder
    storage = ContiguousArray(repeating: placeholder, count: 16)
  }

  var count: Int { endIndex - startIndex }
  var isEmpty: Bool { endIndex == startIndex }
  var first: Element? { isEmpty ? nil : self[startIndex] }

  /// The element of an index that is still in the ring.
  subscript(index: Int) -> Element {
    @inline(__always) get { storage[index & (storage.count - 1)] }
    @inline(__always) _modify { yield &storage[index & (storage.count - 1)] }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == storage.count { grow() }
    storage[endIndex & (storage.count - 1)] = element
    endIndex += 1
  }

  @inline(__always)
  mutating func removeFirst() { startIndex += 1 }

  private mutating func grow() {
    var larger = ContiguousArray(repeating: placeholder, count: storage.count * 2)
    for index in startIndex..<endIndex { larger[index & (larger.count - 1)] = self[index] }
    storage = larger
  }
}

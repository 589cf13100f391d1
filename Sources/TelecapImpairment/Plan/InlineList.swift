/// Up to four numbers in place: a list that never allocates. A packet has one due time, two when it is duplicated; a
/// plan edited by hand may give it four.
public struct InlineList<Element: FixedWidthInteger & Sendable>: Hashable, Sendable {
  @usableFromInline var first: Element
  @usableFromInline var second: Element = 0
  @usableFromInline var third: Element = 0
  @usableFromInline var fourth: Element = 0
  /// How many there are, 0…4.
  @inlinable
  public var count: Int { Int(used) }
  @usableFromInline var used: UInt8

  /// How many fit.
  @inlinable
  public static var capacity: Int { 4 }

  /// None.
  @inlinable
  public init() {
    first = 0
    used = 0
  }

  /// One number.
  @inlinable
  public init(_ only: Element) {
    first = only
    used = 1
  }

  /// Two numbers.
  @inlinable
  public init(_ first: Element, _ second: Element) {
    self.first = first
    self.second = second
    used = 2
  }

  /// Adds a number behind the others; false, and nothing changes, when four are there.
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    guard count < InlineList.capacity else { return false }
    used += 1
    self[count - 1] = element
    return true
  }
}

extension InlineList: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
  /// 0.
  @inlinable
  public var startIndex: Int { 0 }
  /// How many there are.
  @inlinable
  public var endIndex: Int { count }

  /// The number at a position from 0 up to `count`.
  @inlinable
  public subscript(position: Int) -> Element {
    get {
      precondition(position >= 0 && position < count, "no such element")
      switch position {
      case 0: return first
      case 1: return second
      case 2: return third
      default: return fourth
      }
    }
    set {
      precondition(position >= 0 && position < count, "no such element")
      switch position {
      case 0: first = newValue
      case 1: second = newValue
      case 2: third = newValue
      default: fourth = newValue
      }
    }
  }

  /// The first four of these numbers.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init()
    for element in elements { append(element) }
  }
}

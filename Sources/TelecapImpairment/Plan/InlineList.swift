/// A list of up to four numbers that never allocates. A packet has one due time, two if it is duplicated; an edited
/// plan may give it four.
public struct InlineList<Element: FixedWidthInteger & Sendable>: Hashable, Sendable {
  @usableFromInline var first: Element
  @usableFromInline var second: Element = 0
  @usableFromInline var third: Element = 0
  @usableFromInline var fourth: Element = 0
  /// The number of elements, 0…4.
  @inlinable
  public var count: Int { Int(used) }
  @usableFromInline var used: UInt8

  /// The maximum number of elements.
  @inlinable
  public static var capacity: Int { 4 }

  /// An empty list.
  @inlinable
  public init() {
    first = 0
    used = 0
  }

  /// A list of one number.
  @inlinable
  public init(_ only: Element) {
    first = only
    used = 1
  }

  /// A list of two numbers.
  @inlinable
  public init(_ first: Element, _ second: Element) {
    self.first = first
    self.second = second
    used = 2
  }

  /// Appends a number; returns false without a change if the list is full.
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
  /// The number of elements.
  @inlinable
  public var endIndex: Int { count }

  /// The number at a position, from 0 and below `count`.
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

  /// A list of the first four of these numbers.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init()
    for element in elements { append(element) }
  }
}

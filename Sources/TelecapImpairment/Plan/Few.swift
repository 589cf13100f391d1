/// Up to four numbers in place: a list that never allocates. A packet has one due time, two when it is duplicated; a
/// plan edited by hand may give it four.
public struct Few<Element: FixedWidthInteger & Sendable>: Hashable, Sendable {
  private var first: Element
  private var second: Element = 0
  private var third: Element = 0
  private var fourth: Element = 0
  /// How many there are, 0…4.
  public private(set) var count: Int

  /// How many fit.
  public static var capacity: Int { 4 }

  /// None.
  public init() {
    first = 0
    count = 0
  }

  /// One number.
  public init(_ only: Element) {
    first = only
    count = 1
  }

  /// Two numbers.
  public init(_ first: Element, _ second: Element) {
    self.first = first
    self.second = second
    count = 2
  }

  /// Adds a number behind the others; false, and nothing changes, when four are there.
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    guard count < Few.capacity else { return false }
    count += 1
    self[count - 1] = element
    return true
  }
}

extension Few: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
  /// 0.
  public var startIndex: Int { 0 }
  /// How many there are.
  public var endIndex: Int { count }

  /// The number at a position from 0 up to `count`.
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
  public init(arrayLiteral elements: Element...) {
    self.init()
    for element in elements { append(element) }
  }
}

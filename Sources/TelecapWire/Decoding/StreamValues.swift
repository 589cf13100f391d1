import TelecapRecording
import TelecapText

/// The numbers of a stream's fields, in the order of their declaration: at most `most`. They are stored inline, so that the packet
/// path allocates nothing for them and counts no references.
public struct StreamValues: Sendable {
  /// The most values that a stream may have.
  public static let most = 16
  private typealias Four = SIMD4<Double>

  /// Behind the last value there are zeros, so that all sixteen can be compared at once.
  private var inline: (Four, Four, Four, Four) = (.zero, .zero, .zero, .zero)
  /// The differences of 64-bit whole numbers from their doubles: at most 1,024.
  private var rests = SIMD16<Int16>.zero
  /// Bit n: the value at place n is a whole number that nobody has rounded.
  private var wholes: UInt16 = 0
  /// How many there are.
  public private(set) var count = 0

  /// No number.
  public init() {}

  /// These numbers.
  ///
  /// - Precondition: there are at most `most`.
  public init(_ values: some Sequence<Double>) {
    for value in values { append(value) }
  }

  /// These numbers, whole ones with every digit.
  ///
  /// - Precondition: there are at most `most`.
  public init(numbers: some Sequence<StreamNumber>) {
    for number in numbers {
      switch number {
      case .real(let value): append(value)
      case .whole(let value): append(value)
      }
    }
  }

  /// The whole number at a place, every digit of it; nil for a measure, and for what was printed with decimals.
  public func whole(at place: Int) -> WholeNumber? {
    precondition(place >= 0 && place < count)
    guard wholes & 1 << UInt16(place) != 0 else { return nil }
    let nearest = self[place]
    guard rests[place] != 0 || nearest.magnitude > Double(WholeNumber.exactInDouble) else {
      return WholeNumber(exactly: nearest)
    }
    if nearest < 0 { return WholeNumber(Int64(nearest) &+ Int64(rests[place])) }
    // 2⁶⁴, to which the largest numbers are rounded, is 0 in 64 bits.
    let bits = UInt64(exactly: nearest) ?? 0
    return WholeNumber(bits &+ UInt64(truncatingIfNeeded: Int64(rests[place])))
  }

  /// Puts a whole number in the place of the value that is there.
  fileprivate mutating func put(_ value: WholeNumber, at place: Int) {
    precondition(place >= 0 && place < count)
    let double = value.double
    withUnsafeMutableBytes(of: &inline) { $0.storeBytes(of: double, toByteOffset: 8 * place, as: Double.self) }
    wholes |= 1 << UInt16(place)
    // The bits of both, modulo 2⁶⁴: the difference is small.
    let nearest = UInt64(exactly: Double(value.magnitude)) ?? 0
    let rest = Int16(truncatingIfNeeded: Int64(bitPattern: value.magnitude &- nearest))
    rests[place] = value.isNegative ? -rest : rest
  }

  /// Marks the places of whole numbers.
  @inline(__always)
  fileprivate mutating func mark(_ wholes: UInt16) { self.wholes = wholes }

  /// Appends a number.
  ///
  /// - Precondition: there are fewer than `most`.
  @inline(__always)
  public mutating func append(_ value: Double) {
    precondition(count < StreamValues.most, "a stream has at most \(StreamValues.most) values")
    let place = 8 * count
    withUnsafeMutableBytes(of: &inline) { $0.storeBytes(of: value, toByteOffset: place, as: Double.self) }
    count += 1
  }

  /// Appends a whole number, with every digit.
  ///
  /// - Precondition: there are fewer than `most`.
  public mutating func append(_ value: WholeNumber) {
    append(value.double)
    put(value, at: count - 1)
  }

  /// Appends a whole number from 0, with every digit.
  ///
  /// - Precondition: there are fewer than `most`.
  @inline(__always)
  public mutating func append(whole value: UInt64) {
    guard value <= WholeNumber.exactInDouble else { return append(WholeNumber(value)) }
    append(Double(value))
    wholes |= 1 << UInt16(count - 1)
  }

  /// Leaves these numbers, the one at each place, and no other.
  ///
  /// - Precondition: there are at most `most`.
  @inline(__always)
  mutating func fill(_ count: Int, _ value: (_ place: Int) -> Double) {
    precondition(count <= StreamValues.most, "a stream has at most \(StreamValues.most) values")
    inline = (.zero, .zero, .zero, .zero)
    (rests, wholes) = (.zero, 0)
    withUnsafeMutableBytes(of: &inline) { bytes in
      for place in 0..<count { bytes.storeBytes(of: value(place), toByteOffset: 8 * place, as: Double.self) }
    }
    self.count = count
  }

  /// Leaves none.
  public mutating func removeAll() {
    inline = (.zero, .zero, .zero, .zero)
    (rests, wholes, count) = (.zero, 0, 0)
  }

  /// None of them is NaN or infinite: x − x is 0 for every other number.
  public var isFinite: Bool {
    (inline.0 - inline.0) + (inline.1 - inline.1) + (inline.2 - inline.2) + (inline.3 - inline.3) == .zero
  }

  /// There are some, and each is 0.
  public var isOff: Bool {
    count > 0 && inline.0 == .zero && inline.1 == .zero && inline.2 == .zero && inline.3 == .zero
  }
}

extension StreamValues: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public subscript(place: Int) -> Double {
    get {
      precondition(place >= 0 && place < count)
      return withUnsafeBytes(of: inline) { $0.load(fromByteOffset: 8 * place, as: Double.self) }
    }
    set {
      precondition(place >= 0 && place < count)
      withUnsafeMutableBytes(of: &inline) { $0.storeBytes(of: newValue, toByteOffset: 8 * place, as: Double.self) }
      rests[place] = 0
      if WholeNumber(exactly: newValue) == nil { wholes &= ~(1 << UInt16(place)) }
    }
  }

  public init(arrayLiteral values: Double...) { self.init(values) }
}

extension StreamValues: Hashable {
  public static func == (left: StreamValues, right: StreamValues) -> Bool {
    left.count == right.count && left.inline.0 == right.inline.0 && left.inline.1 == right.inline.1
      && left.inline.2 == right.inline.2 && left.inline.3 == right.inline.3 && left.rests == right.rests
  }

  public func hash(into hasher: inout Hasher) {
    for value in self { hasher.combine(value) }
  }
}

/// A number of a stream: a measure, or a whole number with every digit.
public enum StreamNumber: Hashable, Sendable {
  /// A measure, or what was printed with decimals.
  case real(Double)
  /// A whole number.
  case whole(WholeNumber)
}

/// The locations of some numbers in a message, ready for the packet path.
public struct NumberPlaces: Sendable {
  private struct Place: Sendable {
    let place: FieldPlace
    let type: FieldType
    /// The bits that mean something; all but those that are reserved.
    let mask: UInt64
    /// It is a little-endian f32, as most are: it is read without asking more.
    private let isFloat: Bool
    /// How the number becomes the value; nil where it is the value.
    let scale: Scale?

    init(_ row: FieldRow) {
      place = FieldPlace(row)
      (type, scale) = (row.type, row.scale)
      if case .bits(let mask) = row.rule { self.mask = mask } else { mask = .max }
      isFloat = type == .f32 && place.order == .little && !place.isShifted
    }

    /// The number without its reserved bits; 0 where the bytes end before it.
    @inline(__always)
    func number(in bytes: RawSpan) -> Double {
      if isFloat { return Double(Float.read(bytes, at: place.offset) ?? 0) }
      // Digits that are no number are one that no receiver can apply.
      guard let bits = place.bits(in: bytes) else { return type.isDecimal ? .nan : scale?.value(of: 0) ?? 0 }
      let number = type.number(of: bits & mask)
      return scale.map { $0.value(of: number) } ?? number
    }

    /// The same of a whole number of 64 bits, every digit of it.
    func whole(in bytes: RawSpan) -> WholeNumber {
      let bits = (place.bits(in: bytes) ?? 0) & mask
      return type == .i64 ? WholeNumber(Int64(bitPattern: bits)) : WholeNumber(bits)
    }
  }

  private let places: [Place]
  private let first: FieldPlace?
  /// Some of them have reserved bits.
  private let haveReserved: Bool
  /// Bit n: the number at place n is whole.
  private let wholes: UInt16
  /// The places of whole numbers so large that a double may lack digits.
  private let long: [Int]

  /// The locations of these rows; ignores fields that are not numbers.
  public init(_ rows: [FieldRow]) {
    let places = rows.filter(\.type.isNumber).map { Place($0) }
    let whole = places.indices.filter { places[$0].type.isWhole && places[$0].scale == nil }
    self.places = places
    first = places.first?.place
    haveReserved = places.contains { $0.mask != .max }
    wholes = whole.prefix(StreamValues.most).reduce(0) { $0 | 1 << UInt16($1) }
    long = whole.filter { places[$0].type.largest > WholeNumber.exactInDouble }
  }

  /// Puts the numbers in a message, without their reserved bits, in the place of other values; 0 where the bytes end before one.
  public func read(_ bytes: RawSpan, into values: inout StreamValues) {
    values.fill(places.count) { places[$0].number(in: bytes) }
    if wholes == 0 { return }
    values.mark(wholes)
    for place in long where values[place].magnitude >= Double(WholeNumber.exactInDouble) {
      values.put(places[place].whole(in: bytes), at: place)
    }
  }

  /// The bits of each, reserved ones too; 0 where the bytes end before one.
  public func bits(in bytes: RawSpan) -> [UInt64] { places.map { $0.place.bits(in: bytes) ?? 0 } }

  /// Whether their bits are these.
  public func hold(_ key: [UInt64], in bytes: RawSpan) -> Bool {
    key.count == places.count && zip(places, key).allSatisfy { ($0.place.bits(in: bytes) ?? 0) == $1 }
  }

  /// The bits of the first; nil where there is none, or the bytes end before it.
  public func firstBits(in bytes: RawSpan) -> UInt64? { first.flatMap { $0.bits(in: bytes) } }

  /// Whether a reserved bit of one of them is set.
  public func haveReservedSet(in bytes: RawSpan) -> Bool {
    haveReserved && places.contains { ($0.place.bits(in: bytes) ?? 0) & ~$0.mask != 0 }
  }
}

extension FieldType {
  /// The number that these bits are.
  @inline(__always)
  fileprivate func number(of bits: UInt64) -> Double {
    switch self {
    case .f32: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .f64: Double(bitPattern: bits)
    case .decimal: Double(signed(bits))
    case .i8: Double(Int8(truncatingIfNeeded: bits))
    case .i16: Double(Int16(truncatingIfNeeded: bits))
    case .i24: Double(signed(bits))
    case .i32: Double(Int32(truncatingIfNeeded: bits))
    case .i64: Double(Int64(bitPattern: bits))
    default: Double(bits)
    }
  }
}

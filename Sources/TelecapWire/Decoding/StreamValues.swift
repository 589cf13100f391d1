import TelecapRecording

/// The numbers of a stream's fields, in the order of their declaration. Up to 16 stand inline, so that the packet path
/// allocates nothing for them.
public struct StreamValues: Hashable, Sendable {
  private static let room = 16

  private var inline = SIMD16<Double>.zero
  private var rest: [Double] = []
  public private(set) var count = 0

  /// No number.
  public init() {}

  /// These numbers.
  public init(_ values: some Sequence<Double>) {
    for value in values { append(value) }
  }

  /// Adds a number behind the others.
  public mutating func append(_ value: Double) {
    if count < StreamValues.room { inline[count] = value } else { rest.append(value) }
    count += 1
  }

  /// None of them is NaN or infinite.
  public var isFinite: Bool { allSatisfy(\.isFinite) }

  /// There are some, and each is 0.
  public var isOff: Bool { !isEmpty && allSatisfy { $0 == 0 } }
}

extension StreamValues: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public subscript(place: Int) -> Double {
    get { place < StreamValues.room ? inline[place] : rest[place - StreamValues.room] }
    set {
      if place < StreamValues.room { inline[place] = newValue } else { rest[place - StreamValues.room] = newValue }
    }
  }

  public init(arrayLiteral values: Double...) { self.init(values) }
}

/// Where some numbers stand in a message, ready for the packet path.
public struct NumberPlaces: Sendable {
  private struct Place: Sendable {
    let place: FieldPlace
    let type: FieldType
    /// The bits that mean something; all but those that are reserved.
    let mask: UInt64
  }

  private let places: [Place]
  /// Some of them have reserved bits.
  public let haveReserved: Bool

  /// The places of these rows; what is no number is passed over.
  public init(_ rows: [FieldRow]) {
    places = rows.filter(\.type.isNumber).map { row in
      guard case .bits(let mask) = row.rule else { return Place(place: FieldPlace(row), type: row.type, mask: .max) }
      return Place(place: FieldPlace(row), type: row.type, mask: mask)
    }
    haveReserved = places.contains { $0.mask != .max }
  }

  /// The numbers in a message without their reserved bits; 0 where the bytes end before one.
  public func values(in bytes: RawSpan) -> StreamValues {
    var values = StreamValues()
    for place in places {
      values.append(place.type.number(of: (place.place.bits(in: bytes) ?? 0) & place.mask))
    }
    return values
  }

  /// The bits of each, reserved ones too; 0 where the bytes end before one.
  public func bits(in bytes: RawSpan) -> [UInt64] { places.map { $0.place.bits(in: bytes) ?? 0 } }

  /// The bits of the first; nil where there is none, or the bytes end before it.
  public func firstBits(in bytes: RawSpan) -> UInt64? { places.first.flatMap { $0.place.bits(in: bytes) } }

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
    case .i8: Double(Int8(truncatingIfNeeded: bits))
    case .i16: Double(Int16(truncatingIfNeeded: bits))
    case .i32: Double(Int32(truncatingIfNeeded: bits))
    case .i64: Double(Int64(bitPattern: bits))
    default: Double(bits)
    }
  }
}

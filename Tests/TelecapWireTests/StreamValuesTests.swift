import TelecapRecording
import TelecapWire
import Testing

@Suite struct StreamValuesTests {
  @Test("Any number of values keep their order", arguments: [0, 1, 15, 16])
  func numbersStayInTheirOrderHoweverManyThereAre(_ count: Int) {
    let numbers = (0..<count).map { Double($0) - 7.5 }
    var values = StreamValues(numbers)
    #expect(Array(values) == numbers && values.count == count)
    #expect(values == StreamValues(numbers))
    for place in values.indices { values[place] = -values[place] }
    #expect(Array(values) == numbers.map { -$0 })
    if count > 0 { #expect(values != StreamValues(numbers)) }
  }

  @Test("One NaN or infinity is detected at any index", arguments: [0, 9, 15])
  func oneNumberThatIsNoneIsSeenWhereverItStands(_ place: Int) {
    var values = StreamValues((0..<16).map { _ in 1 })
    #expect(values.isFinite)
    for wrong in [Double.nan, .infinity, -.infinity] {
      values[place] = wrong
      #expect(!values.isFinite)
    }
  }

  @Test("A value is off if it has numbers and all are zero")
  func offIsSomeNumbersAllOfThemZero() {
    #expect(StreamValues([0, -0.0]).isOff)
    #expect(!StreamValues([0, 0.001]).isOff && !StreamValues([.nan]).isOff)
    #expect(!StreamValues([]).isOff)
  }

  /// Values that were removed have no effect.
  @Test("Values are equal whatever values were removed before", arguments: [0, 1, 8, 15])
  func valuesAreTheSameWhateverStoodThereBefore(_ count: Int) {
    var values = StreamValues((0..<16).map { _ in .infinity })
    values.removeAll()
    for _ in 0..<count { values.append(0) }
    #expect(values == StreamValues((0..<count).map { _ in 0 }))
    #expect(values.isFinite && values.isOff == (count > 0))
    #expect(values != StreamValues((0...count).map { _ in 0 }), "zeros count too")
  }

  /// Every number type, reserved bits, and a message that ends too early.
  @Test("An offset reads the number in the message")
  func placesReadWhatStandsThere() {
    func row(_ type: FieldType, _ offset: Int, _ rule: FieldRule = .any) -> FieldRow {
      FieldRow(name: "f\(offset)", type: type, offset: offset, unit: "", rule: rule, meaning: "")
    }
    let rows = [
      row(.u8, 0, .bits(3)), row(.i8, 1), row(.u16, 2), row(.i16, 4), row(.f32, 6), row(.i32, 10), row(.u64, 14),
      row(.f64, 22), row(.text(2), 30),
    ]
    let half = Float(0.5).bitPattern.littleEndian
    var bytes: [UInt8] = [0xfd, 0xff, 0x01, 0x80, 0xfe, 0xff]
    bytes += withUnsafeBytes(of: half) { Array($0) } + [0xff, 0xff, 0xff, 0xff]
    bytes += [0, 0, 0, 0, 1, 0, 0, 0] + withUnsafeBytes(of: (-2.0).bitPattern.littleEndian) { Array($0) } + [65, 66]
    let places = NumberPlaces(rows)
    var values: StreamValues = [9]
    places.read(bytes.span.bytes, into: &values)
    #expect(Array(values) == [1, -1, 0x8001, -2, 0.5, -1, 4_294_967_296, -2])
    let first = places.firstBits(in: bytes.span.bytes)
    #expect(first == 0xfd)
    let hasReserved = places.haveReservedSet(in: bytes.span.bytes)
    bytes[0] = 2
    let hasReservedNow = places.haveReservedSet(in: bytes.span.bytes)
    #expect(hasReserved && !hasReservedNow)
    let short = Array(bytes.prefix(3))
    places.read(short.span.bytes, into: &values)
    #expect(Array(values) == [2, -1, 0, 0, 0, 0, 0, 0])
  }
}

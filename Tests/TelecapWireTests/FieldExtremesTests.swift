import TelecapWire
import Testing

/// Every field of every table, at the ends of what it can hold: written, read back bit for bit, nothing else touched.
@Suite struct FieldExtremesTests {
  @Test("The extreme values of every field are written and read back", arguments: Sample.all)
  func roundTrip(_ sample: Sample) throws {
    for field in sample.kind.layout.fields where field.type.size != nil {
      for value in FieldExtremesTests.extremes(of: field.type) {
        var message = sample.message
        try message.set(field.name, to: value)
        let place = "\(sample.kind.name).\(field.name) = \(value)"
        #expect(
          message.value(of: field.name).map(FieldExtremesTests.same) == FieldExtremesTests.same(value), "\(place)")
        let range = field.range(in: message.bytes.count)
        #expect(message.bytes.count == sample.bytes.count, "\(place)")
        #expect(message.bytes[..<range.lowerBound] == sample.bytes[..<range.lowerBound], "\(place)")
        #expect(message.bytes[range.upperBound...] == sample.bytes[range.upperBound...], "\(place)")
        let kept = Message(keeping: message.bytes, as: sample.dialect)
        #expect(kept.bytes == message.bytes, "\(place)")
      }
    }
  }

  @Test("Little-endian: the first byte of a number is its least significant", arguments: Sample.all)
  func byteOrder(_ sample: Sample) throws {
    for field in sample.kind.layout.fields {
      guard let size = field.type.size, let value = FieldExtremesTests.counting(field.type) else { continue }
      var message = sample.message
      try message.set(field.name, to: value)
      #expect(Array(message.bytes[field.offset..<field.offset + size]) == (1...UInt8(size)).map { $0 }, "\(field.name)")
    }
  }

  @Test("A value that its field cannot hold is rejected, and the message stays unchanged", arguments: Sample.all)
  func refused(_ sample: Sample) {
    for field in sample.kind.layout.fields {
      for value in FieldExtremesTests.impossible(for: field.type) {
        var message = sample.message
        #expect(
          throws: WireError.doesNotFit(message: sample.kind.name, field: field.name, type: field.type, value: value)
        ) { try message.set(field.name, to: value) }
        #expect(message == sample.message)
      }
    }
  }

  private static func extremes(of type: FieldType) -> [FieldValue] {
    func unsigned(_ max: UInt64) -> [FieldValue] {
      [0, 1, max / 2, max / 2 + 1, max - 1, max].map { .unsigned($0) }
    }
    return switch type {
    case .u8: unsigned(0xff)
    case .u16: unsigned(0xffff)
    case .u24: unsigned(0xff_ffff)
    case .u32: unsigned(0xffff_ffff)
    case .u64: unsigned(.max)
    case .bits: unsigned(type.largest)
    case .i8: [-128, -127, -1, 0, 1, 127].map { .signed($0) }
    case .i16: [-32_768, -32_767, -129, -1, 0, 1, 128, 32_767].map { .signed($0) }
    case .i24: [-8_388_608, -8_388_607, -65_537, -1, 0, 1, 65_536, 8_388_607].map { .signed($0) }
    case .i32, .decimal: [Int64(Int32.min), -65_537, -1, 0, 1, 65_536, Int64(Int32.max)].map { .signed($0) }
    case .i64: [.min, -4_294_967_297, -1, 0, 1, 4_294_967_296, .max].map { .signed($0) }
    case .f64: [0, -0.0, .leastNonzeroMagnitude, 0.1, .greatestFiniteMagnitude, .infinity].map { .double($0) }
    case .f32:
      [
        0, 0x8000_0000, 1, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x7f7f_ffff, 0xff7f_ffff, 0x7f80_0000,
        0xff80_0000, 0x7fc0_0001, 0x7f80_0001, 0xffff_ffff,
      ].map { .float(Float(bitPattern: $0)) }
    case .text(let size):
      ["", "A", String(repeating: "Z", count: size), String(repeating: "~", count: size - 2) + "é"].map { .text($0) }
    case .octets(let size): [.bytes([UInt8](repeating: 0, count: size)), .bytes((0..<size).map { UInt8(255 - $0) })]
    case .variableText, .variableOctets, .rest: []
    }
  }

  /// 0x01, 0x0201, 0x04030201 …
  private static func counting(_ type: FieldType) -> FieldValue? {
    switch type {
    case .u8: .unsigned(1)
    case .u16: .unsigned(0x0201)
    case .u24: .unsigned(0x03_0201)
    case .u32: .unsigned(0x0403_0201)
    case .u64: .unsigned(0x0807_0605_0403_0201)
    case .i8: .signed(1)
    case .i16: .signed(0x0201)
    case .i24: .signed(0x03_0201)
    case .i32: .signed(0x0403_0201)
    case .i64: .signed(0x0807_0605_0403_0201)
    case .f64: .double(Double(bitPattern: 0x0807_0605_0403_0201))
    case .f32: .float(Float(bitPattern: 0x0403_0201))
    default: nil
    }
  }

  private static func impossible(for type: FieldType) -> [FieldValue] {
    let text: [FieldValue] = [.text("x"), .bytes([1])]
    return switch type {
    case .u8: [.unsigned(256), .unsigned(.max), .signed(1), .float(1)] + text
    case .u16: [.unsigned(65_536), .signed(1), .float(1)] + text
    case .u24: [.unsigned(0x100_0000), .signed(1), .float(1)] + text
    case .u32: [.unsigned(0x1_0000_0000), .signed(1), .float(1)] + text
    case .u64: [.signed(-1), .float(1)] + text
    case .bits: [.signed(1), .float(1)] + text
    case .i8: [.signed(128), .signed(-129), .signed(.min), .unsigned(1), .float(1)] + text
    case .i16: [.signed(32_768), .signed(-32_769), .unsigned(1), .float(1)] + text
    case .i24: [.signed(8_388_608), .signed(-8_388_609), .unsigned(1), .float(1)] + text
    case .i32, .decimal: [.signed(1 << 31), .signed(-1 << 31 - 1), .unsigned(1), .float(1)] + text
    case .i64: [.unsigned(1), .float(1)] + text
    case .f32: [.unsigned(1), .signed(1), .double(1)] + text
    case .f64: [.unsigned(1), .signed(1), .float(1)] + text
    case .octets(let size):
      [.bytes([UInt8](repeating: 0, count: size + 1)), .text("x"), .unsigned(1), .signed(1), .float(1)]
    case .text(let size):
      [
        .text(String(repeating: "x", count: size + 1)), .text(String(repeating: "é", count: size / 2) + "x"),
        .bytes([UInt8](repeating: 0, count: size + 1)), .unsigned(1), .signed(1), .float(1),
      ].filter { if case .text(let text) = $0 { text.utf8.count > size } else { true } }
    case .variableText: [.unsigned(1), .signed(1), .float(1)]
    case .variableOctets, .rest: [.text("x"), .unsigned(1), .signed(1), .float(1)]
    }
  }

  /// A value whose equality is that of its bits, so that NaN equals itself and 0 is not −0.
  private static func same(_ value: FieldValue) -> FieldValue {
    if case .float(let number) = value { .unsigned(UInt64(number.bitPattern)) } else { value }
  }
}

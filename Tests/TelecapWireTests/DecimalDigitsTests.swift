import Foundation
import TelecapRecording
import Testing

@testable import TelecapWire

@Suite("Numbers in decimal digits") struct DecimalDigitsTests {
  private static func number(_ text: String, places: Int) -> Int64? {
    let bytes = Array(text.utf8)
    return DecimalDigits.number(in: bytes.span.bytes, 0..<bytes.count, places: places).map { Int64($0.steps) }
  }

  @Test("Digits are read as printf writes them, and rounded to the places of the field")
  func read() {
    let rows: [(String, places: Int, Int64)] = [
      ("0", 0, 0), ("7", 0, 7), ("-0", 0, 0), ("+12", 0, 12), ("007", 0, 7), ("289.65", 2, 28_965), ("-9.00", 2, -900),
      ("-9", 2, -900), ("9.5", 0, 10), ("-9.5", 0, -10), ("9.4999", 0, 9), (".5", 1, 5), ("5.", 1, 50),
      (" 12", 0, 12), ("12\r\n", 0, 12), ("1.005", 2, 101), ("1.0049", 2, 100), ("0.000000001", 9, 1),
      ("2147483647", 0, 2_147_483_647), ("-2147483648", 0, -2_147_483_648), ("21474836.47", 2, 2_147_483_647),
      ("1.00000000000000000000000000", 2, 100),
    ]
    for (text, places, number) in rows { #expect(Self.number(text, places: places) == number, "\(text)") }
  }

  @Test("What is no number of 32 bits is none")
  func refused() {
    for text in [
      "", " ", "-", "+", ".", "-.", "x", "1x", "x1", "1 2", "--1", "1.2.3", "1e3", "0x10", "nan", "inf", "1_000", "1,5",
      "٣",
      "2147483648", "-2147483649", "99999999999999999999999999", "2147483647.5",
    ] {
      #expect(Self.number(text, places: 0) == nil, "\(text)")
    }
    #expect(Self.number("21474836.48", places: 2) == nil)
    #expect(Self.number("-21474836.48", places: 2) == -2_147_483_648)
  }

  @Test("A number is written with its places, and read again as itself", arguments: 0...DecimalDigits.mostPlaces)
  func written(_ places: Int) {
    var random = SplitMix64(seed: 7)
    let some = (0..<2_000).map { _ in Int64(Int32(truncatingIfNeeded: random.next())) >> Int64(random.next() % 32) }
    for number in [0, 1, -1, 9, 10, -10, 99, 100, Int64(Int32.max), Int64(Int32.min)] + some {
      let text = String(decoding: DecimalDigits.text(number, places: places), as: UTF8.self)
      #expect(Self.number(text, places: places) == number, "\(text)")
      #expect(text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0 == places)
    }
  }

  @Test("No bytes trap, wherever the digits begin and end, and a number is the nearest one to that of the text")
  func hostile() {
    var random = SplitMix64(seed: 8)
    let letters = Array("0123456789012345678901234567890123456789+-. ;\0x\u{e9}".utf8)
    var count = 0
    for _ in 0..<20_000 {
      let bytes = (0..<Int(random.next() % 24)).map { _ in letters[Int(random.next() % UInt64(letters.count))] }
      let start = Int(random.next() % 30) - 2
      let range = start..<start + Int(random.next() % 30)
      let places = Int(random.next() % 10)
      guard let number = DecimalDigits.number(in: bytes.span.bytes, range, places: places) else { continue }
      let text = String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self).filter { $0 != " " }
      let scaled = (Double(text.hasSuffix(".") ? text + "0" : text) ?? .nan) * pow(10, Double(places))
      #expect((scaled - Double(number.steps)).magnitude < 0.500001, "\(text)")
      #expect(number.isRounded || (scaled - Double(number.steps)).magnitude < 0.000001, "\(text)")
      count += 1
    }
    #expect(count > 1_000)
  }

  @Test("The name of an end is what a protocol file has")
  func names() {
    #expect([0, 59, 32, 13].map { Terminator(UInt8($0)).name } == ["0", "';'", "' '", "0x0d"])
  }
}

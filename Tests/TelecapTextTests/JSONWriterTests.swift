import Foundation
import TelecapText
import Testing

@Suite struct JSONWriterTests {
  @Test("Objects, arrays and values are separated by commas")
  func objectsArraysAndValuesGetTheirCommas() {
    var json = JSONWriter()
    json.beginObject()
    json.put("a", 1)
    json.beginArray("b")
    json.put(nil, -2)
    json.put(nil, "x")
    json.beginObject()
    json.endObject()
    json.beginArray()
    json.endArray()
    json.endArray()
    json.putNull("c")
    json.put("d", true)
    json.key("e")
    json.put(nil, false)
    json.beginObject("f")
    json.put("g", 0.5)
    json.endObject()
    json.endObject()
    json.endLine()
    #expect(json.text == #"{"a":1,"b":[-2,"x",{},[]],"c":null,"d":true,"e":false,"f":{"g":0.5}}"# + "\n")
    json.beginObject()
    json.endObject()
    #expect(json.text.hasSuffix("\n{}"), "a new line needs no comma")
    json.removeAll()
    json.put(nil, 1)
    #expect(json.text == "1")
  }

  @Test("Integers are exact at their ends")
  func integersAreExactAtTheirEnds() {
    var json = JSONWriter()
    json.beginArray()
    json.put(nil, Int64.min)
    json.put(nil, Int64.max)
    json.put(nil, UInt64.max)
    json.put(nil, 0)
    json.put(nil, Int8.min)
    json.endArray()
    #expect(json.text == "[-9223372036854775808,9223372036854775807,18446744073709551615,0,-128]")
  }

  @Test("The writer puts NaN and infinities, which JSON has not as numbers, as strings")
  func whatIsNoNumberInJSONIsAString() {
    var json = JSONWriter()
    json.beginArray()
    for value in [Float.nan, .infinity, -.infinity, 0.1, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
      json.put(nil, value)
    }
    json.put(nil, 1e300)
    json.endArray()
    #expect(json.text == #"["NaN","Infinity","-Infinity",0.1,-0.0,1e-45,3.4028235e+38,1e+300]"#)
  }

  @Test("Any text is read back unchanged")
  func anyTextComesBackAsItWas() throws {
    let text = (0..<0x300).compactMap(Unicode.Scalar.init).reduce(into: "\"\\/😀\u{2028}") {
      $0.unicodeScalars.append($1)
    }
    var json = JSONWriter()
    json.beginObject()
    json.key(text)
    json.put(nil, text)
    json.endObject()
    let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: String]
    #expect(object == [text: text])
    #expect(!json.bytes.contains { $0 < 32 || $0 == 127 }, "control characters are escaped")
  }
}

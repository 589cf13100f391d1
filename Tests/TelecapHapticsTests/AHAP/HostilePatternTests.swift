import Foundation
import TelecapHaptics
import TelecapTestSupport
import TelecapText
import Testing

@Suite("Patterns with hostile texts") struct HostilePatternTests {
  /// A pattern in which each text, and each key that nobody defined, is this one.
  private static func pattern(_ text: String) -> AHAP {
    let own = [JSONMember(text, .string(text))]
    var event = AHAP.Event(.unknown(text), at: 0, lasting: 1, [AHAP.Setting(id: text, 0.5)])
    event.others = [JSONMember("EventWaveformPath", .string(text))] + own
    event.parameters[0].unknown = own
    var curve = AHAP.Curve(id: text, at: 0, [AHAP.Point(0, 1)])
    (curve.unknown, curve.points[0].unknown) = (own, own)
    let items: [AHAP.Item] = [
      .event(event), .parameter(AHAP.Parameter(at: 0, AHAP.Setting(id: text, 1))), .curve(curve),
    ]
    var pattern = AHAP(items, metadata: AHAP.metadata(project: text, description: text) + own)
    pattern.unknown = own
    return pattern
  }

  /// Every text in a value of JSON, keys among them.
  private static func texts(_ value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let list as [Any]: list.flatMap(texts)
    case let object as [String: Any]: object.flatMap { [$0] + texts($1) }
    default: []
    }
  }

  @Test("A pattern is written as JSON with its texts, and reads as the same pattern", arguments: HostileText.all)
  func texts(_ text: String) throws {
    let pattern = Self.pattern(text)
    let written = pattern.text
    #expect(written.unicodeScalars.allSatisfy { $0.isPlain || $0 == "\n" })
    func count(_ text: String, in written: String) throws -> Int {
      let bytes = Array(text.utf8)
      return try Self.texts(JSONSerialization.jsonObject(with: Data(written.utf8))).count { Array($0.utf8) == bytes }
    }
    #expect(try count(text, in: written) == count("plain", in: Self.pattern("plain").text))
    #expect(AHAPReading(Array(written.utf8)).pattern == pattern)
  }
}

import Foundation
import TelecapImpairment
import TelecapTestSupport
import TelecapText
import Testing

@Suite("Plans of hostile texts") struct HostilePlanTests {
  @Test("A line of a plan is one object of JSON, with the texts that it was given", arguments: HostileText.all)
  func texts(_ text: String) throws {
    let names = FieldNames([text])
    var (header, line) = (PlanHeader(seed: 1, capture: text, selection: text), PlanLine.deliver(1, due: [2]))
    header.speed = .max
    line.changes.put(FieldChange(field: 0, .integer(1)))
    var bytes: [UInt8] = []
    PlanWriter.append(header, to: &bytes)
    PlanWriter.append(line, to: &bytes, names)
    let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars.split(separator: "\n").map(String.init)
    #expect(lines.count == 2 && lines.allSatisfy { $0.unicodeScalars.allSatisfy(\.isPlain) })
    let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    func isText(_ value: Any?) -> Bool { (value as? String).map { Array($0.utf8) } == Array(text.utf8) }
    #expect(isText(objects[0]?["capture"]) && isText(objects[0]?["where"]))
    #expect(isText((objects[1]?["set"] as? [String: Any])?.keys.first))
    #expect(try read(Array(lines[0].utf8) + [10]).header == header)
  }
}

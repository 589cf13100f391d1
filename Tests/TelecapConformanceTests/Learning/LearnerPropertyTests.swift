import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapText
import Testing

/// However a program nests what it prints, in whatever unit and order and with how many decimals: all its poses are read back.
@Suite("Poses are learned from output of any shape")
struct LearnerPropertyTests {
  /// A shape that a seed makes.
  private struct Shape {
    var random: SplitMix64
    let names: [String]
    let depth: Int
    let isArray: Bool
    let isText: Bool
    let decimals: Int
    let unit: Double
    let sign: Double
    let order: [Int]

    init(_ seed: UInt64) {
      random = SplitMix64(seed: seed)
      func number(_ below: Int, _ random: inout SplitMix64) -> Int { random.number(below: below) }
      names = [["x", "y", "z"], ["a", "b", "c"], ["east", "north", "up"], ["v0", "v1", "v2"]][number(4, &random)]
      depth = number(5, &random)
      isArray = number(2, &random) == 0
      isText = number(3, &random) == 0
      unit = [1, 1_000, 100, 10][number(4, &random)]
      sign = number(2, &random) == 0 ? 1 : -1
      decimals = 3 + number(5, &random) - (unit > 1 ? 1 : 0)
      order = [[0, 1, 2], [2, 0, 1], [1, 2, 0]][number(3, &random)]
    }

    /// A pose as this shape has it, among things that say nothing.
    func line(_ pose: PoseSample, _ count: Int) -> String {
      let values = order.map { index in
        let value = Double([pose.position.x, pose.position.y, pose.position.z][index]) * unit * (index == 1 ? sign : 1)
        return Numbers.fixed(value, decimals)
      }
      if isText { return "t=\(count).25 moved " + zip(names, values).map { "\($0)=\($1)" }.joined(separator: ", ") }
      var text =
        isArray
        ? "[\(values.joined(separator: ","))]"
        : "{\(zip(names, values).map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
      for level in 0..<depth {
        text = level % 2 == 0 ? "{\"in\(level)\":\(text),\"k\":\(level)}" : "[\(level),\(text)]"
      }
      return "{\"no\":\(count),\"what\":\"moved\",\"body\":\(text),\"load\":0.\(count % 90 + 10)}"
    }
  }

  @Test("The written file reads all poses back", arguments: 1...40)
  func poses(seed: UInt64) throws {
    let shape = Shape(seed)
    let host = try LearnedHost()
    var count = 0
    let lines = host.lines { event in
      count += 1
      guard let pose = event.appliedPose else {
        return [shape.isText ? "t=\(count).5 nothing new" : "{\"no\":\(count),\"what\":\"else\",\"load\":0.5}"]
      }
      return [shape.line(pose, count)]
    }
    let learned = host.learn(lines)
    let rule = try #require(learned.rules.first { $0.rule.kind == .pose }, "\(lines[3].text)")
    #expect(rule.found == host.applied.count)
    #expect(Set(rule.rule.fields.keys).isSuperset(of: ["x", "y", "z"]), "\(rule.rule) \(lines[3].text)")
    let (events, mapping) = host.read(lines, by: try host.file(learned))
    #expect(events.compactMap(\.appliedSeq) == host.applied, "\(lines[3].text)")
    #expect(mapping.notices == [], "\(lines[3].text)")
  }

  /// Words at random are no poses.
  @Test("Random numbers lead to no rule", arguments: 1...20)
  func noise(seed: UInt64) throws {
    let host = try LearnedHost()
    var random = SplitMix64(seed: seed)
    let lines = (0..<400).map { index in
      let numbers = (0..<6).map { _ in Numbers.fixed(Double(random.number(below: 6_000_000)) / 1e6 - 3, 6) }
      return SeenLine("{\"v\":[\(numbers.joined(separator: ","))]}", at: Int64(index) * 25_000_000)
    }
    #expect(host.learn(lines).rules.isEmpty)
  }
}

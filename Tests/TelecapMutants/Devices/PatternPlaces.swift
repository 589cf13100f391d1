import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapSuites
import TelecapText

// A player of AHAP patterns: mutants of the text that it reads, and of the events that it prints.
extension MutableDevice {
  static let ahap: MutableDevice = {
    var device = MutableDevice(.ahap)
    device.asked = [
      AskedKind(name: "pattern") { PatternText.of($0).map { !$0.isMalformed } ?? false },
      AskedKind(name: "malformed") { PatternText.of($0)?.isMalformed ?? false },
      AskedKind(name: "sample") { $0 as? HapticsAction == .sample },
    ]
    device.manyNumbers = PatternPlaces.numbers
    device.manyWords = PatternPlaces.words
    // A line and a column are printed as one word.
    device.isFree = ["finding.line", "finding.column"]
    device.others = PatternPlaces.lists + PatternPlaces.repairs + PatternPlaces.findings
    func read(_ name: String, _ isSo: @escaping @Sendable ([PatternText]) -> Bool) -> Occasion {
      Occasion(name) { isSo($0.asked.compactMap(PatternText.of)) }
    }
    device.occasions = [
      read("later-pattern") { $0.count > 1 }, read("after-malformed") { $0.dropLast().contains(where: \.isMalformed) },
      read("with-curve") { $0.last?.text.contains("\"ParameterCurve\"") ?? false },
      read("with-parameter") { $0.last?.text.contains("\"Parameter\"") ?? false },
      read("of-many-events") { ($0.last?.text.split(separator: "\"Event\"").count ?? 0) > 2 },
    ]
    device.rare = [
      ("defaults-zero", read("without-version") { $0.last.map { !$0.text.contains("\"Version\"") } ?? false }),
      (
        "refuses-unknown-keys",
        read("of-the-pattern") { $0.last?.text.prefix { $0 != "[" }.contains("\"Colour\"") ?? false }
      ),
      ("absolute-times", read("from-1") { $0.last?.text.contains("\"Time\": 1, \"ParameterCurve") ?? false }),
    ]
    return device
  }()
}

/// The text of a pattern, and the places in it.
struct PatternText {
  let text: String

  /// The text that a player reads; nil for another action.
  static func of(_ action: any UserAction) -> PatternText? {
    if case .read(let text)? = action as? HapticsAction { PatternText(text: text) } else { nil }
  }

  /// It cannot be played.
  var isMalformed: Bool { AHAPReading(Array(text.utf8)).hasErrors }

  /// A value in it.
  struct Site {
    /// The key of what holds it: `Event`, `EventParameters`, `Parameter`, `ParameterCurve`, `ParameterCurveControlPoints`.
    let holder: String
    let key: String
    /// The parameter that it is about; empty where it is about none.
    let parameter: String
  }

  /// With other numbers in some places, and nothing moved to another line.
  func numbers(at isThere: (Site) -> Bool, _ change: (Double) -> Double) -> PatternText {
    edited { site, node in
      guard isThere(site), case .number(let text) = node.value, let number = node.number else { return nil }
      let other = change(number)
      return other == number ? nil : (text.utf8.count, "\(other)")
    }
  }

  /// With other words in some places.
  func words(at isThere: (Site) -> Bool, _ change: (String) -> String) -> PatternText {
    edited { site, node in
      guard isThere(site), let word = node.string else { return nil }
      return (word.utf8.count + 2, "\"\(change(word))\"")
    }
  }

  /// With other elements in the lists under a key. Text that is no JSON stays as it is.
  func lists(of key: String, _ change: ([JSONNode]) -> [JSONNode]) -> PatternText {
    let json = JSONReading(Array(text.utf8))
    guard json.problem == nil, let node = json.node else { return self }
    return PatternText(text: PatternText.lists(of: key, in: node, change).onOneLine)
  }

  private static func lists(of key: String, in node: JSONNode, _ change: ([JSONNode]) -> [JSONNode]) -> JSONNode {
    if let elements = node.elements {
      return JSONNode(.array(elements.map { lists(of: key, in: $0, change) }))
    }
    guard let members = node.members else { return node }
    return JSONNode(
      .object(
        members.map { member in
          let inner = lists(of: key, in: member.node, change)
          let changed = member.key == key ? inner.elements.map { JSONNode(.array(change($0))) } : nil
          return JSONMember(member.key, changed ?? inner)
        }))
  }

  private func edited(_ edit: (Site, JSONNode) -> (length: Int, text: String)?) -> PatternText {
    var bytes = Array(text.utf8)
    guard let node = JSONReading(bytes).node else { return self }
    var edits: [(at: Int, length: Int, text: String)] = []
    PatternText.visit(node, "", "") { site, node in
      if let (length, text) = edit(site, node) { edits.append((node.offset, length, text)) }
    }
    for edit in edits.sorted(by: { $0.at > $1.at }) {
      bytes.replaceSubrange(edit.at..<(edit.at + edit.length), with: Array(edit.text.utf8))
    }
    return PatternText(text: String(decoding: bytes, as: UTF8.self))
  }

  private static func visit(
    _ node: JSONNode, _ holder: String, _ parameter: String, _ see: (Site, JSONNode) -> Void
  ) {
    for element in node.elements ?? [] { visit(element, holder, parameter, see) }
    let members = node.members ?? []
    let parameter = members.first { $0.key == "ParameterID" }?.node.string ?? parameter
    for member in members {
      see(Site(holder: holder, key: member.key, parameter: parameter), member.node)
      visit(member.node, member.key, parameter, see)
    }
  }
}

/// The places at which a player reads a pattern wrongly.
private enum PatternPlaces {
  // MARK: - Values

  static let numbers: [NumberPlaces<any UserAction>] = [
    number("event.time", of: .any) { $0.holder == "Event" && $0.key == "Time" },
    number("event.duration", of: .size) { $0.key == "EventDuration" },
    number("event.intensity", of: .any) { $0.holder == "EventParameters" && $0.parameter == "HapticIntensity" },
    number("event.sharpness", of: .any) { $0.holder == "EventParameters" && $0.parameter == "HapticSharpness" },
    number("parameter.time", of: .any) { $0.holder == "Parameter" && $0.key == "Time" },
    number("parameter.value", of: .any) { $0.holder == "Parameter" && $0.key == "ParameterValue" },
    number("curve.time", of: .any) { $0.holder == "ParameterCurve" && $0.key == "Time" },
    number("point.time", of: .any) { $0.holder == points && $0.key == "Time" },
    number("point.intensity", of: .any) {
      $0.holder == points && $0.key == "ParameterValue" && $0.parameter == "HapticIntensityControl"
    },
    number("point.sharpness", of: .any) {
      $0.holder == points && $0.key == "ParameterValue" && $0.parameter == "HapticSharpnessControl"
    },
  ]

  static let words: [WordPlaces<any UserAction>] = [
    words("event.type", WordChange.codes(of: AHAP.EventType.known.map(\.name)) + unknownTypes) {
      $0.key == "EventType"
    },
    words("event.parameter", WordChange.codes(of: ["HapticIntensity", "HapticSharpness"])) {
      $0.holder == "EventParameters" && $0.key == "ParameterID"
    },
    words("parameter.parameter", controls) { $0.holder == "Parameter" && $0.key == "ParameterID" },
    words("curve.parameter", controls) { $0.holder == "ParameterCurve" && $0.key == "ParameterID" },
  ]

  private static let points = "ParameterCurveControlPoints"
  private static let controls = WordChange.codes(of: ["HapticIntensityControl", "HapticSharpnessControl"])

  /// A type that nobody defined is taken for one that is.
  private static let unknownTypes: [WordChange] =
    AHAP.EventType.known.map(\.name).map { known in
      WordChange("unknown-is-\(known)", .condition) { word, _ in
        AHAP.EventType.known.map(\.name).contains(word) ? word : known
      }
    } + [
      WordChange("any-case", .condition) { word, _ in
        AHAP.EventType.known.map(\.name).first { $0.lowercased() == word.lowercased() } ?? word
      },
      WordChange("by-prefix", .condition) { word, _ in
        AHAP.EventType.known.map(\.name).first { word.hasPrefix($0) } ?? word
      },
    ]

  private static func number(
    _ name: String, of fit: ValueFit, _ isThere: @escaping @Sendable (PatternText.Site) -> Bool
  ) -> NumberPlaces<any UserAction> {
    NumberPlaces(name: name, fit: fit) { action, change in
      PatternText.of(action).map { HapticsAction.read($0.numbers(at: isThere, change).text) } ?? action
    }
  }

  private static func words(
    _ name: String, _ changes: [WordChange], _ isThere: @escaping @Sendable (PatternText.Site) -> Bool
  ) -> WordPlaces<any UserAction> {
    WordPlaces(name: name, changes: changes) { action, change in
      PatternText.of(action).map { HapticsAction.read($0.words(at: isThere, change).text) } ?? action
    }
  }

  private static func sketch(
    _ name: String, _ kind: Operator, _ change: @escaping @Sendable (PatternText) -> PatternText
  ) -> DeviceSketch {
    DeviceSketch(
      "asked/\(name)", kind,
      DeviceMutation(asks: { action, _ in
        [PatternText.of(action).map { HapticsAction.read(change($0).text) } ?? action]
      }))
  }

  // MARK: - Lists

  static let lists: [DeviceSketch] =
    [
      ("items", "Pattern"), ("parameters", "EventParameters"), ("points", points),
    ].flatMap { name, key in
      Flow.all.filter { $0.kind == .lost && $0.name != "one-in-10-lost" }.map { flow in
        sketch("\(name)/\(flow.name)", .lost) { text in
          text.lists(of: key) { all in all.enumerated().filter { !flow.times($0.offset + 1).isEmpty }.map(\.element) }
        }
      } + [
        sketch("\(name)/last-lost", .lost) { $0.lists(of: key) { Array($0.dropLast()) } }
      ]
    } + [
      sketch("items/not-beyond-16", .bound) { $0.lists(of: "Pattern") { Array($0.prefix(16)) } },
      sketch("points/not-beyond-16", .bound) { $0.lists(of: points) { Array($0.prefix(16)) } },
    ]

  // MARK: - Text that is no JSON

  /// Invalid JSON is repaired without a finding.
  static let repairs: [DeviceSketch] = [
    repair("comma-missing") { text, at in "\(text[..<at]),\(text[at...])" },
    repair("colon-missing") { text, at in "\(text[..<at]):\(text[at...])" },
    repair("rest-behind") { text, at in String(text[..<at]) },
    repair("end-missing") { text, _ in PatternPlaces.closed(text) },
    repair("comment") { text, _ in
      text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      }.joined(separator: "\n")
    },
    repair("single-quotes") { text, _ in String(text.map { $0 == "'" ? "\"" : $0 }) },
  ]

  /// The text with the brackets that are open at its end closed.
  private static func closed(_ text: String) -> String {
    var open: [Character] = []
    for character in text {
      switch character {
      case "{": open.append("}")
      case "[": open.append("]")
      case "}", "]": if open.last == character { open.removeLast() }
      default: break
      }
    }
    return text + String(open.reversed())
  }

  private static func repair(
    _ name: String, _ mended: @escaping @Sendable (String, String.Index) -> String
  ) -> DeviceSketch {
    sketch("json/\(name)", .condition) { pattern in
      guard let problem = JSONReading(Array(pattern.text.utf8)).problem else { return pattern }
      let other = mended(pattern.text, pattern.text.utf8.index(pattern.text.startIndex, offsetBy: problem.offset))
      return JSONReading(Array(other.utf8)).problem == nil ? PatternText(text: other) : pattern
    }
  }

  // MARK: - Findings

  /// A finding is reported at another position.
  static let findings: [DeviceSketch] = [
    finding("line/plus-step", .step) { line, path in (line + 1, path) },
    finding("line/minus-step", .step) { line, path in (line - 1, path) },
    finding("line/ignored", .ignored) { _, path in (1, path) },
    finding("path/ignored", .ignored) { line, _ in (line, "$") },
    finding("path/first-item", .step) { line, path in
      (line, path.replacing("Pattern[1]", with: "Pattern[0]"))
    },
    finding("path/of-the-holders-holder", .cut) { line, path in
      (line, path.split(separator: ".").dropLast(2).joined(separator: "."))
    },
  ]

  private static func finding(
    _ name: String, _ kind: Operator, _ change: @escaping @Sendable (Int, String) -> (Int, String)
  ) -> DeviceSketch {
    DeviceSketch(
      "shown/finding.\(name)", kind,
      DeviceMutation(shows: { event, _ in
        guard case .told(let words) = event, words.hasPrefix("("), let at = words.firstRange(of: " at ") else {
          return [DelayedEvent(event)]
        }
        let place = words[at.upperBound...].dropLast().split(separator: " ").map(String.init)
        let position = place[0].split(separator: ":").compactMap { Int($0) }
        guard place.count == 2, position.count == 2 else { return [DelayedEvent(event)] }
        let (line, path) = change(position[0], place[1])
        return [DelayedEvent(.told("\(words[..<at.lowerBound]) at \(line):\(position[1]) \(path))"))]
      }))
  }
}

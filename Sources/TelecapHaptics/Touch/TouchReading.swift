import TelecapRecording
import TelecapText

/// An error in a touch trace or a tree of views.
public struct TouchFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position in the text.
  public var position: TextPosition
  /// The problem, and what to write.
  public var message: String

  /// `3:14: …`.
  public var description: String { "\(position): \(message)" }
}

/// Reads objects of touch files. Every member must be known, have the right kind, and be in its range.
struct TouchObject {
  private let node: JSONNode
  private let lines: TextLines
  private let line: Int
  private var members: [String: JSONNode] = [:]

  /// The object in `node`; `line` is the number of lines before its text.
  init(_ node: JSONNode, _ lines: TextLines, line: Int = 0, keys: [String]) throws(TouchFileError) {
    self.node = node
    self.lines = lines
    self.line = line
    guard let list = node.members else { throw problem(node.offset, "found \(node.kind) where an object is expected") }
    for member in list {
      guard keys.contains(member.key) else {
        throw problem(member.offset, "unknown key \"\(member.key)\"; there are \(keys.joined(separator: ", "))")
      }
      guard members.updateValue(member.node, forKey: member.key) == nil else {
        throw problem(member.offset, "\"\(member.key)\" occurs here twice")
      }
    }
  }

  subscript(key: String) -> JSONNode? { members[key] }

  /// An error at the value of `key`, or at the object if it has none.
  func problem(at key: String, _ message: String) -> TouchFileError {
    problem(members[key]?.offset ?? node.offset, message)
  }

  private func problem(_ offset: Int, _ message: String) -> TouchFileError {
    var position = lines.position(at: offset)
    position.line += line
    return TouchFileError(position: position, message: message)
  }

  /// A number within its range. If it is missing, `standard`, or an error where that is nil.
  func number(
    _ key: String, _ range: ClosedRange<Double> = -1e9...1e9, unless standard: Double? = nil
  ) throws(TouchFileError) -> Double {
    guard let value = members[key] else {
      guard let standard else { throw problem(at: key, "\"\(key)\" is missing") }
      return standard
    }
    guard let number = value.number, range.contains(number) else {
      throw problem(at: key, "\"\(key)\" is a number of \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A case of `Choice`. If it is missing, `standard`, or an error where that is nil.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, unless standard: Choice?
  ) throws(TouchFileError) -> Choice where Choice.RawValue == String {
    guard let value = members[key] else {
      guard let standard else { throw problem(at: key, "\"\(key)\" is missing") }
      return standard
    }
    guard let choice = value.string.flatMap(Choice.init) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw problem(at: key, "\"\(key)\" is one of \(words)")
    }
    return choice
  }
}

extension TouchSample {
  private static let keys = ["time", "phase", "x", "y", "force", "max_force", "finger"]

  /// Reads one line of a trace, such as `{"time":0.016,"phase":"moved","x":10,"y":20,"force":0.5}`, in seconds and
  /// points. `max_force` defaults to that of devices, `finger` to 0.
  /// - Parameter line: its number in the file, from 1, for errors.
  /// - Throws: `TouchFileError` at the position of the problem.
  public init(line text: [UInt8], number line: Int = 1) throws(TouchFileError) {
    let lines = TextLines(text)
    let json = JSONReading(text)
    guard json.problem == nil, let node = json.node else {
      var position = lines.position(at: json.problem?.offset ?? 0)
      position.line += line - 1
      throw TouchFileError(position: position, message: json.problem?.description ?? "an object is needed")
    }
    let object = try TouchObject(node, lines, line: line - 1, keys: TouchSample.keys)
    let phase: Phase = try object.choice("phase", unless: nil)
    let seconds = try object.number("time", 0...1e9)
    self.init(
      time: Int64((seconds * 1e9).rounded()), finger: Int(try object.number("finger", 0...1_000, unless: 0)), phase,
      x: try object.number("x"), y: try object.number("y"), force: try object.number("force", 0...1e6, unless: 0),
      maximumForce: try object.number("max_force", 0...1e6, unless: TouchSample.usualMaximumForce))
  }

  /// The sample as a line of a trace, without its line feed.
  public var line: String {
    var text =
      "{\"time\":\(Double(time) / 1e9),\"phase\":\"\(phase.rawValue)\",\"x\":\(x),\"y\":\(y),\"force\":\(force)"
    if maximumForce != TouchSample.usualMaximumForce { text += ",\"max_force\":\(maximumForce)" }
    if finger != 0 { text += ",\"finger\":\(finger)" }
    return text + "}"
  }

  /// Reads a trace: a sample a line, in order of time; empty lines are ignored.
  /// - Throws: `TouchFileError` at the position of the first problem.
  public static func trace(_ text: [UInt8]) throws(TouchFileError) -> [TouchSample] {
    var samples: [TouchSample] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard line.contains(where: { $0 > 32 }) else { continue }
      let sample = try TouchSample(line: Array(line), number: index + 1)
      if let last = samples.last, sample.time < last.time {
        throw TouchFileError(
          position: TextPosition(line: index + 1, column: 1), message: "\"time\" is earlier than in the line before")
      }
      samples.append(sample)
    }
    return samples
  }
}

extension ViewTree {
  private static let keys = ["name", "kind", "frame", "texture", "threshold", "children"]

  /// Reads a tree of views from JSON: each view has a `name`, a `frame` of [x, y, width, height] in points, and
  /// optionally a `kind`, a `texture`, a `threshold` and `children`, the last in front.
  /// - Throws: `TouchFileError` at the position of the first problem.
  public init(json text: [UInt8]) throws(TouchFileError) {
    let lines = TextLines(text)
    let json = JSONReading(text)
    guard json.problem == nil, let node = json.node else {
      throw TouchFileError(
        position: lines.position(at: json.problem?.offset ?? 0),
        message: json.problem?.description ?? "a view is needed")
    }
    self.init(try ViewTree.view(node, lines))
  }

  private static func view(_ node: JSONNode, _ lines: TextLines) throws(TouchFileError) -> TouchView {
    let object = try TouchObject(node, lines, keys: keys)
    guard let name = object["name"]?.string, !name.isEmpty else {
      throw object.problem(at: "name", "a view needs a \"name\"")
    }
    let frame = (object["frame"]?.elements ?? []).compactMap(\.number)
    guard frame.count == 4, object["frame"]?.elements?.count == 4, frame.allSatisfy({ $0.magnitude <= 1e9 }) else {
      throw object.problem(at: "frame", "\"frame\" is [x, y, width, height] in points")
    }
    var children: [TouchView] = []
    if let list = object["children"] {
      guard let elements = list.elements else {
        throw object.problem(at: "children", "\"children\" is a list of views")
      }
      for element in elements { children.append(try view(element, lines)) }
    }
    let threshold = object["threshold"] == nil ? nil : try object.number("threshold", 0...1e6)
    let texture: TouchView.Texture? = object["texture"] == nil ? nil : try object.choice("texture", unless: nil)
    return TouchView(
      name, try object.choice("kind", unless: .plain), x: frame[0], y: frame[1], width: frame[2], height: frame[3],
      texture: texture, threshold: threshold, children)
  }
}

extension ViewTree {
  /// The tree as JSON, which `init(json:)` can read.
  public var json: JSONNode { ViewTree.json(root) }

  private static func json(_ view: TouchView) -> JSONNode {
    let frame = [view.x, view.y, view.width, view.height].map(JSONNode.number)
    var members = [
      JSONMember("name", .string(view.name)), JSONMember("kind", .string(view.kind.rawValue)),
      JSONMember("frame", JSONNode(.array(frame))),
    ]
    if let texture = view.ownTexture { members.append(JSONMember("texture", .string(texture.rawValue))) }
    if let threshold = view.threshold { members.append(JSONMember("threshold", .number(threshold))) }
    if !view.children.isEmpty { members.append(JSONMember("children", JSONNode(.array(view.children.map(json))))) }
    return JSONNode(.object(members))
  }
}

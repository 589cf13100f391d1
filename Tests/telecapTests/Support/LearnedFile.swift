import TelecapConformance
import TelecapSuites
import TelecapTestSupport

/// A system file as `learn` wrote it, by its values.
struct LearnedFile: CustomStringConvertible {
  /// All of it; scalars are text.
  let root: PlainValue
  let description: String

  /// - Throws: `YAMLFileError` for what is no system file.
  init(_ text: String) throws {
    description = text
    root = LearnedFile.plain(try YAMLValue.read(text, file: "learned.yaml", as: SystemShape.system(.all)))
  }

  subscript(key: String) -> PlainValue? { root[key] }

  /// Where and how the program shows what it does.
  var shows: PlainValue? { root["shows"] }

  /// The rule of an event of this name; of several the first.
  func event(_ name: String) -> PlainValue? {
    shows?["events"]?.list.first { $0["is"] == .text(name) }
  }

  /// How a field of an event is read.
  func field(_ name: String, of event: String) -> PlainValue? { self.event(event)?["fields"]?[name] }

  private static func plain(_ value: YAMLValue) -> PlainValue {
    switch value.content {
    case .scalar(let text, _): .text(text)
    case .list(let values): .list(values.map(plain))
    case .mapping(let pairs): .object(Dictionary(pairs.map { ($0.key.text ?? "", plain($0.value)) }) { $1 })
    }
  }
}

import TelecapImpairment

/// A network that has a name, in a file of its own: what it does, and where its numbers come from (`Documentation/plan.md`).
public struct NetworkFile: Sendable {
  /// Its name: `lte`.
  public let name: String
  /// What it is, in a few words.
  public let title: String
  /// Where its numbers come from.
  public let source: String
  /// What it does to datagrams.
  public let impairments: Impairments

  /// What such a file may hold.
  public static let shape = YAMLShape(
    "network",
    [
      YAMLKey("network", .line, required: true, "Its name, that of the file."),
      YAMLKey("title", .line, required: true, "What it is, in a few words."),
      YAMLKey("source", .text, required: true, "Where its numbers come from."),
    ] + ImpairmentList.all.optionsInOrder.map { YAMLKey($0.name, $0.isFlag ? .flag : .text, $0.help) })

  /// Reads a network.
  /// - Parameter file: how errors name it.
  /// - Throws: `YAMLFileError` at the place of the first thing that is wrong.
  public init(_ text: String, file: String) throws(YAMLFileError) {
    let root = try YAMLValue.read(text, file: file, as: NetworkFile.shape)
    (name, title) = (root["network"]?.text ?? "", root["title"]?.text ?? "")
    source = root["source"]?.text ?? ""
    var impairments = Impairments.none
    for option in ImpairmentList.all.optionsInOrder {
      guard let value = root[option.name] else { continue }
      try value.set(option, of: &impairments)
    }
    guard impairments != .none else { throw root.error("a network does something: give it an impairment") }
    self.impairments = impairments
  }
}

extension YAMLValue {
  /// Takes it over as the value of an impairment's option; a flag that is false is not given.
  func set(_ option: ImpairmentOption, of impairments: inout Impairments) throws(YAMLFileError) {
    do throws(ImpairmentSyntaxError) {
      if option.isFlag {
        if flag == true { try impairments.set(option) }
      } else if let text {
        try impairments.set(option, to: text.replacing(" ", with: ""))
      }
    } catch {
      throw self.error("\(error)")
    }
  }
}

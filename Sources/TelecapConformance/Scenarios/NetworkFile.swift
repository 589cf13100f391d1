import TelecapImpairment

/// A network profile in its own file: impairments, and the source of their numbers
/// (`Documentation/reference/network-profiles.md`).
public struct NetworkFile: Sendable {
  /// The name: `lte`.
  public let name: String
  /// A short description.
  public let title: String
  /// The source of its numbers.
  public let source: String
  /// Its impairments of datagrams.
  public let impairments: Impairments

  /// The keys of such a file.
  public static let shape = YAMLShape(
    "network",
    [
      YAMLKey("network", .line, required: true, "Its name, that of the file."),
      YAMLKey("title", .line, required: true, "A title, in a few words."),
      YAMLKey("source", .text, required: true, "The source of its numbers."),
    ] + ImpairmentList.all.optionsInOrder.map { YAMLKey($0.name, $0.isFlag ? .flag : .text, $0.help) })

  /// Reads a network profile.
  /// - Parameter file: its name in errors.
  /// - Throws: `YAMLFileError` at the position of the first error.
  public init(_ text: String, file: String) throws(YAMLFileError) {
    let root = try YAMLValue.read(text, file: file, as: NetworkFile.shape)
    (name, title) = (root["network"]?.text ?? "", root["title"]?.text ?? "")
    source = root["source"]?.text ?? ""
    var impairments = Impairments.none
    for option in ImpairmentList.all.optionsInOrder {
      guard let value = root[option.name] else { continue }
      try value.set(option, of: &impairments)
    }
    guard impairments != .none else { throw root.error("a network without an impairment has no effect: add one") }
    self.impairments = impairments
  }
}

extension YAMLValue {
  /// Sets an impairment's option to this value; a flag that is false is not set.
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

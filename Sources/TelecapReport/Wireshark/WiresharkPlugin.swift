import TelecapText
import TelecapWire

/// A dissector for Wireshark in Lua, made from the declarations of protocols: every field has a name to filter and plot by
/// (`tele.haptic.intensity`), every finding of a message is expert information and the value of `tele.finding`.
///
/// It reads single messages. Only telecap finds gaps, silences and missing answers, which several messages show together.
public struct WiresharkPlugin: Sendable {
  private let ports: Ports
  private let version: String

  /// The plugin for the protocols of these ports, which listens at them unless Wireshark's preferences say otherwise.
  public init(_ ports: Ports, version: String) { (self.ports, self.version) = (ports, version) }

  /// Whether a file's text is a plugin that telecap wrote.
  public static func isOurs(_ text: String) -> Bool { text.hasPrefix(mark) }

  private static let mark = Escaping.luaComment("telecap ")

  /// The whole file.
  public var lua: String {
    let head = [
      Escaping.luaComment("telecap \(version): \(ports.protocols.map(\.title).joined(separator: "; "))."),
      Escaping.luaComment(
        "Made by `telecap wireshark` from the declarations of the protocols; a change belongs there."),
      "",
      "local plugins = {",
    ]
    let tables = ports.protocols.flatMap { WiresharkTables($0, at: ports).lines }
    return (head + tables + ["}", "", WiresharkEngine.lua]).joined(separator: "\n")
  }

  /// By which name Wireshark filters a field: of the header `tele.version`, of a message `tele.haptic.intensity`.
  public static func filter(_ field: FieldRow, at index: Int, of kind: MessageKind) -> String {
    let owner = kind.owner.name
    if index < kind.layout.headerCount { return "\(owner).\(field.name)" }
    let table = kind.layout.table
    return "\(owner).\(table.hasPrefix(owner + "_") ? String(table.dropFirst(owner.count + 1)) : table).\(field.name)"
  }
}

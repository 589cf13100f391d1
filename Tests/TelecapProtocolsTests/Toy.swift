import TelecapConformance
import TelecapProtocols
import Testing

/// A file that is right and says a little of everything, to be made wrong in one line.
enum Toy {
  private static let lines = [
    "protocol: toy",
    "carriers:",
    "  - {name: udp, over: udp, port: 4000}",
    "  - {name: tcp, over: tcp, port: 4000}",
    "header:",
    "  - {name: magic, type: text 2, equals: TY, is: identity}",
    "  - {name: version, type: u8, equals: 1, is: constant}",
    "  - {name: length, type: u16, is: length, excluding: 9}",
    "  - {name: crc32, type: u32, is: crc32}",
    "  - {name: kind, type: u8, is: type}",
    "parts:",
    "  place: [{name: slot, type: u8}, {name: state, type: u8, codes: {0: off, 1: on}}]",
    "messages:",
    "  - {name: ASK, type: 1, from: client, fields: [{name: id, type: u32}, {name: label, type: text 4}]}",
    "  - {name: STATE, type: 2, from: host, fields: [{part: place}, {name: number, type: u16}, {name: x, type: f32}, {name: y, type: i16}]}",
    "  - {name: BYE, type: 3, from: client}",
    "session: {asked-by: ASK, answered-by: [STATE], id: id, closed-by: BYE, timeout: 5s}",
    "streams:",
    "  - {name: state, message: STATE, order: number, key: [slot], values: [x, y], range: [0, 1], silence: 2s}",
  ]

  /// The error if line `line` is `text`: `line:column: problem`.
  static func error(
    _ line: Int, _ text: String, beside surroundings: ProtocolSurroundings = ProtocolSurroundings()
  ) -> String? {
    var lines = lines
    lines[line - 1] = text
    do throws(YAMLFileError) {
      _ = try ProtocolFile.read(lines.joined(separator: "\n"), file: "toy.yaml", beside: surroundings)
      return nil
    } catch {
      return String(error.description.dropFirst("toy.yaml:".count))
    }
  }

  /// Line 14, with these fields after its id.
  static func ask(_ fields: String) -> String {
    "  - {name: ASK, type: 1, from: client, fields: [{name: id, type: u32}, \(fields)]}"
  }

  /// Line 19, with this after its message.
  static func state(_ rest: String) -> String { "  - {name: state, message: STATE, \(rest)}" }
}

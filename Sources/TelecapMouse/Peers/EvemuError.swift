import TelecapModels
import TelecapText

/// What is wrong with a recording of evemu's or libinput's.
public enum EvemuError: Error, Hashable, Sendable {
  /// A line that is no evemu event.
  case notAnEvent(line: Int, text: String)
  /// A mouse that by this line has gone farther than `Evemu.farthest`.
  case tooFar(line: Int)
  /// Bytes that no text has.
  case notText
  /// Nothing to play.
  case empty
}

extension EvemuError: CustomStringConvertible {
  /// What is wrong, where, and what would be right.
  public var description: String {
    switch self {
    case .notAnEvent(let line, let text):
      "line \(line): \"\(text.cut(to: 60))\" is no event; one looks like \"E: 1329846856.201613 0002 0001 -1\""
    case .tooFar(let line):
      "line \(line): by here the mouse has gone farther than \(Numbers.grouped(Evemu.farthest)) counts, each way of each input added up"
    case .notText: "it is no text, as evemu and libinput record it; a capture of packets is imported without --as"
    case .empty: "there is nothing in it to play"
    }
  }
}

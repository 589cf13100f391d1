import TelecapModels
import TelecapText

/// An error in a recording of evemu or libinput.
public enum EvemuError: Error, Hashable, Sendable {
  /// A line that is not an event.
  case notAnEvent(line: Int, text: String)
  /// A mouse that has moved farther than `Evemu.farthest` by this line.
  case tooFar(line: Int)
  /// The bytes are not text.
  case notText
  /// The recording has no inputs.
  case empty
}

extension EvemuError: CustomStringConvertible {
  /// The problem, its line, and the expected form.
  public var description: String {
    switch self {
    case .notAnEvent(let line, let text):
      "line \(line): \"\(text.cut(to: 60))\" is no event; one looks like \"E: 1329846856.201613 0002 0001 -1\""
    case .tooFar(let line):
      "line \(line): by here the mouse has gone farther than \(Numbers.grouped(Evemu.farthest)) counts, each way of each input added up"
    case .notText:
      "it is no text, as evemu and libinput record it; a capture of packets is imported without --input-format"
    case .empty: "there is nothing in it to play"
    }
  }
}

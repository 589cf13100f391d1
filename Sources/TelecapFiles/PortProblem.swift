import TelecapText
import TelecapWire

/// Why a recording cannot be read by the ports that were asked for.
public enum PortProblem: Advising, Hashable, Sendable {
  /// There is no port of this id; these are known, in words. `capture` is where they are from, nil for the program's own.
  case unknown(id: String, known: [String], capture: String?)
  /// Two protocols have a port, in words, and nothing else tells them apart; the second of them has the id `id`.
  case shared(port: String, by: [String], id: String, capture: String?)

  /// What to do about it; empty when nothing can be said.
  public var advice: String {
    switch self {
    case .unknown: ""
    case .shared(_, _, let id, _): "move one with --port \(id)=NUMBER"
    }
  }
}

extension PortProblem: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .unknown(let id, let known, let capture):
      PortProblem.place(capture) + "there is no port \"\(id)\"; there are \(known.joined(separator: ", "))"
    case .shared(let port, let names, _, let capture):
      PortProblem.place(capture) + "\(port) is that of \(names.joined(separator: " and of "))"
    }
  }

  private static func place(_ capture: String?) -> String { capture.map { "\($0): " } ?? "" }
}

extension Ports {
  /// These ports, with the numbers that were asked for.
  ///
  /// - Parameter capture: whose ports they are; nil for the program's own.
  /// - Throws: `PortProblem.unknown`
  func moved(to numbers: [String: UInt16], of capture: String? = nil) throws(PortProblem) -> Ports {
    for id in numbers.keys.sorted() where self[id] == nil && !id.hasPrefix(Ports.attributePrefix) {
      throw .unknown(id: id, known: entries.map { "\($0.row.id) (\($0.number))" }, capture: capture)
    }
    return with(numbers)
  }
}

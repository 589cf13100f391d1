import TelecapText
import TelecapWire

/// The reason why a recording cannot be read with the requested ports.
public enum PortProblem: Advising, Hashable, Sendable {
  /// The port id is unknown; `known` describes the known ones. `capture` is the capture with these ports, nil for the
  /// program's own.
  case unknown(id: String, known: [String], capture: String?)
  /// Two protocols share a port, and nothing else distinguishes them; the second one has the id `id`.
  case shared(port: String, by: [String], id: String, capture: String?)

  /// The advice; empty if there is none.
  public var advice: String {
    switch self {
    case .unknown: ""
    case .shared(_, _, let id, _): "move one with --port \(id)=NUMBER"
    }
  }
}

extension PortProblem: CustomStringConvertible {
  /// The problem and its location.
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
  /// These ports with the requested numbers.
  ///
  /// - Parameter capture: the capture with these ports; nil for the program's own.
  /// - Throws: `PortProblem.unknown`
  func moved(to numbers: [String: UInt16], of capture: String? = nil) throws(PortProblem) -> Ports {
    for id in numbers.keys.sorted() where self[id] == nil && !id.hasPrefix(Ports.attributePrefix) {
      throw .unknown(id: id, known: entries.map { "\($0.row.id) (\($0.number))" }, capture: capture)
    }
    return with(numbers)
  }
}

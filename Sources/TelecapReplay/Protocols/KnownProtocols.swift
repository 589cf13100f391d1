import TelecapProtocols
import TelecapRecording
import TelecapReport
import TelecapText
import TelecapWire

/// The protocols that commands know by name: the built-in ones, and those of files in `Scenarios/protocols`.
public struct KnownProtocols: PrintedResult {
  /// A known protocol.
  public struct Entry: Sendable {
    /// The declaration.
    public var declaration: WireProtocol
    /// Its file; nil for a built-in one.
    public var file: String?
  }

  /// The protocols, the built-in ones first.
  public private(set) var entries: [Entry]
  /// The errors of unreadable files, in the order of their names.
  public private(set) var problems: [any Error] = []

  /// The built-in protocols and those of a library's folders.
  public init(in library: ProtocolLibrary) {
    entries = Protocols.builtIn.map { Entry(declaration: $0, file: nil) }
    for name in library.names {
      do {
        // Read each alone, so that two with the same port are both listed.
        let path = try library.path(of: name)
        entries += try library.read([path]).map { Entry(declaration: $0, file: path) }
      } catch {
        problems.append(error)
      }
    }
  }

  /// A table: name, transports and ports, title.
  public var lines: [String] {
    let rows = entries.map { entry in
      [entry.declaration.name, entry.ports, entry.declaration.title.printable]
    }
    let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0.padding(to: $1) } + [row[2]]
      return cells.joined(separator: "  ")
    }
  }

  /// An object a line.
  public func write(to json: inout JSONWriter) {
    for entry in entries {
      entry.write(to: &json)
      json.endLine()
    }
  }
}

extension KnownProtocols.Entry {
  /// `udp 26760`, `udp 45100 45101, tcp 45200, ble`.
  fileprivate var ports: String {
    let numbered = declaration.ports.reduce(into: [(name: String, ports: [UInt16])]()) { transports, row in
      if let index = transports.firstIndex(where: { $0.name == row.carrier.name }) {
        if !transports[index].ports.contains(row.standard) { transports[index].ports.append(row.standard) }
      } else {
        transports.append((row.carrier.name, [row.standard]))
      }
    }
    let words = numbered.map { ([$0.name] + $0.ports.map { "\($0)" }).joined(separator: " ") }
    let hasBluetooth = declaration.dialects.contains { !$0.characteristics.isEmpty }
    return (words + (hasBluetooth ? ["ble"] : [])).joined(separator: ", ")
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.beginObject()
    json.put("name", declaration.name)
    json.put("title", declaration.title)
    json.put("source", declaration.messages[0].layout.source)
    if let file { json.put("file", file) } else { json.putNull("file") }
    json.beginArray("ports")
    for row in declaration.ports {
      json.beginObject()
      json.put("id", row.id)
      json.put("transport", row.carrier.name)
      json.put("port", row.standard)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

import TelecapFiles
import TelecapProtocols
import TelecapReport
import TelecapText
import TelecapWire

/// A declaration, and its test vectors.
public struct CheckedProtocol: PrintedResult {
  private let declaration: WireProtocol
  private let vectors: String?
  private let check: VectorCheck

  /// Reads a declaration and decodes its vectors.
  ///
  /// - Parameters:
  ///   - name: a path or a name, as for `--protocol`.
  ///   - vectors: the file with vectors; by default `vectors/NAME.txt` next to the declaration, if that exists.
  /// - Throws: the errors of `ProtocolLibrary.read`; `FileError`; `YAMLFileError` of the vectors.
  public init(_ name: String, vectors: String?, in library: ProtocolLibrary) throws {
    declaration = try library.read([name])[0]
    // A built-in protocol needs no file.
    self.vectors =
      vectors
      ?? (try? library.path(of: name)).flatMap { [declaration] in CheckedProtocol.neighbour(of: $0, declaration.name) }
    let list = try self.vectors.map { try VectorFile.read(TextFile.read($0), file: $0) } ?? []
    check = try VectorCheck(list, of: declaration, file: self.vectors ?? "")
  }

  /// The vectors next to a declaration; nil without any.
  private static func neighbour(of path: String, _ name: String) -> String? {
    let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
    let file = "\(folder)/vectors/\(name).txt"
    return Folders.exists(file) ? file : nil
  }

  /// Whether each vector is decoded to its values, and encoded to its bytes.
  public var isRight: Bool { check.problems.isEmpty }

  /// The declaration, the errors of vectors, and the parts that no vector covers.
  public var lines: [String] {
    var lines = check.problems.map { "\(vectors ?? ""):\($0.line): \($0.reason.printable)" }
    let kinds = declaration.declaredMessages
    let fields = Set(kinds.flatMap { kind in kind.layout.fields.map { "\(kind.name).\($0.name)" } })
    let counts = [Numbers.counted(Set(kinds.map(\.name)).count, "message"), Numbers.counted(fields.count, "field")]
    let vectorCount =
      vectors == nil
      ? "no test vectors, which --vectors names"
      : "\(check.right) of \(Numbers.counted(check.count, "test vector")) right"
    lines.append("\(declaration.name): \((counts + [vectorCount]).joined(separator: ", "))")
    if vectors != nil {
      lines += check.gaps.map { gap in
        gap.fields.isEmpty
          ? "no vector of \(gap.message)" : "no vector shows \(gap.message): \(gap.fields.joined(separator: ", "))"
      }
    }
    return lines
  }

  /// One object.
  public func write(to json: inout JSONWriter) {
    json.beginObject()
    json.put("protocol", declaration.name)
    if let vectors { json.put("vectors", vectors) } else { json.putNull("vectors") }
    json.put("count", check.count)
    json.put("right", check.right)
    json.beginArray("problems")
    for problem in check.problems {
      json.beginObject()
      json.put("line", problem.line)
      json.put("reason", problem.reason)
      json.endObject()
    }
    json.endArray()
    json.beginArray("not_shown")
    for gap in check.gaps where vectors != nil {
      json.beginObject()
      json.put("message", gap.message)
      json.put("fields", texts: gap.fields)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endLine()
  }
}

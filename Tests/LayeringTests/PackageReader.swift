import Foundation

/// A target of Package.swift and the names of what it depends on.
struct PackageTarget: Hashable {
  let name: String
  let dependencies: Set<String>
}

/// Reads the targets out of Package.swift, as this project writes them: `library("Name", [ … ])`, `.target(…)`,
/// `.executableTarget(…)` and `.systemLibrary(…)`.
enum PackageReader {
  private static let openings = ["library(\n", "library(\"", ".target(", ".executableTarget(", ".systemLibrary("]

  /// The targets that are no tests.
  static func targets(in manifest: String) -> [PackageTarget] {
    guard let start = manifest.range(of: "\n  targets: ") else { return [] }
    var rest = manifest[start.upperBound...]
    var result: [PackageTarget] = []
    while !rest.isEmpty {
      if openings.contains(where: { rest.hasPrefix($0) }), let open = rest.firstIndex(of: "(") {
        let call = balanced(rest[open...])
        // The strings after `exclude` are files, not dependencies.
        let named = call.range(of: "exclude: ").map { call[..<$0.lowerBound] } ?? call
        let names = quoted(without("path", without("package", named)))
        if let name = names.first { result.append(PackageTarget(name: name, dependencies: dependencies(names, call))) }
        rest = rest[call.endIndex...]
      } else {
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// A system library names its package and providers, which are no targets.
  private static func dependencies(_ names: [String], _ call: Substring) -> Set<String> {
    call.contains("pkgConfig:") ? [] : Set(names.dropFirst())
  }

  /// From an opening bracket to its closing one.
  private static func balanced(_ text: Substring) -> Substring {
    var depth = 0
    for index in text.indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return text[...index] }
    }
    return text
  }

  /// Without the texts of an argument: for `package`, `.product(name: "A", package: "b")` → `.product(name: "A", )`.
  private static func without(_ argument: String, _ text: some StringProtocol) -> String {
    text.components(separatedBy: "\(argument): \"").enumerated()
      .map { $0 == 0 ? $1 : String($1.drop { $0 != "\"" }.dropFirst()) }.joined()
  }

  private static func quoted(_ text: String) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }
}

import Foundation
import TelecapTestSupport

/// The modules that Swift sources import, as the compiler lists them for this platform (`swiftc -emit-imported-modules`):
/// it reads the sources alone and needs nothing built.
enum CompilerImports {
  /// The compiler did not take the sources, or is not there.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The modules that `files` import as sources of the module `module`.
  static func modules(of files: [URL], module: String) throws -> Set<String> {
    let options = [
      "-emit-imported-modules", "-module-name", module, "-parse-as-library", "-swift-version", "6", "-o", "-",
    ]
    let compiler = try Running("/usr/bin/env", ["swiftc"] + options + files.map(\.path)).finish()
    guard compiler.status == 0 else { throw Failure(description: compiler.errors) }
    return Set(compiler.lines)
  }

  /// The violations in the sources of `room`: one sentence for each import that the table does not allow, in each file.
  static func violations(in files: [URL], of room: Room) throws -> [String] {
    let forbidden = try modules(of: files, module: room.name).subtracting(room.allowed)
    if forbidden.isEmpty { return [] }
    return try files.flatMap { file in
      try modules(of: [file], module: room.name).intersection(forbidden).sorted()
        .map { "\(file.lastPathComponent): \(room.name) must not import \($0)" }
    }
  }
}

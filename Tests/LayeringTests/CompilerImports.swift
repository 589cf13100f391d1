import Foundation

/// The modules that Swift sources import, as the compiler lists them for this platform (`swiftc -emit-imported-modules`):
/// it reads the sources alone and needs nothing built.
enum CompilerImports {
  /// The compiler did not take the sources, or is not there.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What `files` import as sources of the module `module`.
  static func modules(of files: [URL], module: String) throws -> Set<String> {
    // Through a file: a pipe that nobody reads while the compiler writes could fill.
    let list = FileManager.default.temporaryDirectory.appending(path: "imports-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: list) }
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments =
      ["swiftc", "-emit-imported-modules", "-module-name", module, "-parse-as-library", "-swift-version", "6"]
      + ["-o", list.path] + files.map(\.path)
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else {
      throw Failure(description: "swiftc ended with \(compiler.terminationStatus) on the sources of \(module)")
    }
    return Set(try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init))
  }

  /// What is wrong with the sources of `room`: one sentence for each import that the table does not allow, in each file.
  static func violations(in files: [URL], of room: Room) throws -> [String] {
    let forbidden = try modules(of: files, module: room.name).subtracting(room.allowed)
    if forbidden.isEmpty { return [] }
    return try files.flatMap { file in
      try modules(of: [file], module: room.name).intersection(forbidden).sorted()
        .map { "\(file.lastPathComponent): \(room.name) must not import \($0)" }
    }
  }
}

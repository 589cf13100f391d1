import CSockets

/// Absolute paths for programs that run in another directory.
public enum Paths {
  /// The path of telecap; its name on the command line where the system does not report it.
  public static var ownProgram: String {
    let path = text { telecap_own_path($0, $1) }
    return path.isEmpty ? CommandLine.arguments.first ?? "telecap" : path
  }

  /// The directory of a file.
  public static func directory(of file: String) -> String {
    let parent = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    if file.hasPrefix("/") { return parent.isEmpty ? "/" : parent }
    let current = text { telecap_current_directory($0, $1) }
    return parent == "." ? current : current + "/" + parent
  }

  private static func text(_ fill: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer in
      buffer.initialize(repeating: 0)
      let length = fill(buffer.baseAddress, buffer.count)
      guard length > 0 else { return "" }
      return String(decoding: buffer.prefix(Int(length)).lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}

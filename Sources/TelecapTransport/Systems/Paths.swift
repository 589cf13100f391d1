import CSockets

/// Paths that a program started by us must have in full, whatever directory it runs in.
public enum Paths {
  /// Our own program; the name by which it was called where the system does not tell.
  public static var ownProgram: String {
    let path = text { telecap_own_path($0, $1) }
    return path.isEmpty ? CommandLine.arguments.first ?? "telecap" : path
  }

  /// The directory in which a file lies.
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

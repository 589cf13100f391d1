import Subprocess

/// QR codes for a terminal.
enum QRCode {
  /// What to do where none can be drawn.
  static let advice = "install qrencode"

  /// A text as qrencode(1) draws it, with the colours of paper and ink whatever those of the terminal are; nil where there is no
  /// such program.
  static func drawing(of text: String) async -> String? {
    OrphanReaper.begin()
    defer { OrphanReaper.end() }
    let result = try? await Subprocess.run(
      .name("qrencode"), arguments: ["-t", "ANSIUTF8", "-m", "2", "--", text], input: .none,
      output: .string(limit: 1 << 16), error: .discarded)
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput
  }
}

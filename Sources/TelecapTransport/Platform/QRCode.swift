import Subprocess

/// QR codes for a terminal.
enum QRCode {
  /// Advice where the program is missing.
  static let advice = "install qrencode"

  /// A text as a QR code of qrencode(1), with the colours of paper and ink on any terminal; nil where the program is
  /// missing.
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

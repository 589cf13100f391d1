import Subprocess

/// The user's browser.
public enum Browser {
  #if os(macOS)
    private static let opener = "open"
  #else
    private static let opener = "xdg-open"
  #endif

  /// Opens an address in the browser; returns false without one.
  public static func open(_ address: String) async -> Bool {
    let result = await OrphanReaper.sparing {
      try? await Subprocess.run(
        .name(opener), arguments: [address], input: .none, output: .discarded, error: .discarded)
    }
    return result?.terminationStatus.isSuccess ?? false
  }
}

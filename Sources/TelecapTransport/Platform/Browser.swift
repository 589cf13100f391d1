import Subprocess

/// The person's own browser.
public enum Browser {
  #if os(macOS)
    private static let opener = "open"
  #else
    private static let opener = "xdg-open"
  #endif

  /// Asks the system to show an address. False where nobody does.
  public static func open(_ address: String) async -> Bool {
    let result = await OrphanReaper.sparing {
      try? await Subprocess.run(
        .name(opener), arguments: [address], input: .none, output: .discarded, error: .discarded)
    }
    return result?.terminationStatus.isSuccess ?? false
  }
}

import CSockets

/// The keys of the terminal that is the standard input, each as it is pressed. Signals end its time as `end` does.
public struct TerminalKeys: Sendable {
  private let descriptor: Int32

  /// From now on the terminal shows no keys; nil where the standard input is none that this process has in its foreground.
  public init?() {
    // Whose handlers give the terminal back.
    _ = StopFlag.signals
    descriptor = telecap_keys_begin(STDIN_FILENO)
    if descriptor < 0 { return nil }
  }

  /// The keys that were pressed since the last look.
  public func pressed() -> [Character] {
    var keys: [Character] = []
    while keys.count < 64, let byte = UInt8(exactly: telecap_next_key(descriptor)) {
      keys.append(Character(Unicode.Scalar(byte)))
    }
    return keys
  }

  /// The terminal becomes what it was. Nothing may be asked for any more.
  public func end() {
    telecap_keys_end()
    close(descriptor)
  }
}

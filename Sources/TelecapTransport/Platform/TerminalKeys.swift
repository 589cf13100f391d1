import CSockets

/// The keys pressed on the terminal at the standard input. Signals restore the terminal as `end` does.
public struct TerminalKeys: Sendable {
  private let descriptor: Int32

  /// Turns off the echo of keys; nil where the standard input is no terminal with this process in the foreground.
  public init?() {
    // Install the signal handlers that restore the terminal.
    _ = StopFlag.signals
    descriptor = telecap_keys_begin(STDIN_FILENO)
    if descriptor < 0 { return nil }
  }

  /// The keys pressed since the last call.
  public func pressed() -> [Character] {
    var keys: [Character] = []
    while keys.count < 64, let byte = UInt8(exactly: telecap_next_key(descriptor)) {
      keys.append(Character(Unicode.Scalar(byte)))
    }
    return keys
  }

  /// Restores the terminal. No other call is allowed after it.
  public func end() {
    telecap_keys_end()
    close(descriptor)
  }
}

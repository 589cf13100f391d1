import CSockets

/// A request to end, raised by a signal or by other code, and checked in long-running work. Atomic; never lowered.
///
/// `@unchecked Sendable`: the pointer never changes, and points to a C11 atomic.
public final class StopFlag: @unchecked Sendable {
  private let flag: OpaquePointer?

  /// A flag that is not raised.
  public init() { flag = telecap_flag_create() }

  deinit { telecap_flag_destroy(flag) }

  /// Whether the end was requested; true if there was no memory for the flag.
  public var isRaised: Bool {
    guard let flag else { return true }
    return telecap_flag_is_raised(flag) != 0
  }

  /// Requests the end.
  public func raise() {
    if let flag { telecap_flag_raise(flag) }
  }

  /// Returns when the flag is raised; polls it 50 times a second.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  public func waitUntilRaised() async throws {
    while !isRaised { try await Task.sleep(for: .milliseconds(20)) }
  }

  /// The number of the signal that raised `signals`; nil when none did.
  public static var signal: Int32? {
    let number = telecap_flag_signal()
    return number == 0 ? nil : number
  }

  /// The number of signals that raised or would have raised `signals`. It exceeds 1 only while `holdingSecond` runs.
  public static var signalCount: Int { Int(telecap_flag_signal_count()) }

  /// The flag that Ctrl-C (SIGINT), SIGTERM and, unless it is ignored, SIGHUP raise from the first use of this property
  /// on. A second signal kills the process. It lives as long as the process.
  public static let signals: StopFlag = {
    let stop = StopFlag()
    if let flag = stop.flag { _ = telecap_flag_raise_on_signals(flag) }
    return stop
  }()

  /// Ignores the second signal while `body` runs, so that `body` can save data.
  ///
  /// - Throws: errors of `body`.
  public static func holdingSecond<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    _ = signals
    telecap_signals_hold(1)
    defer { telecap_signals_hold(0) }
    return try await body()
  }

  /// Ignores the second signal while `body` runs, which blocks its thread.
  ///
  /// - Throws: errors of `body`.
  public static func holdingSecond<Value>(_ body: () throws -> Value) rethrows -> Value {
    _ = signals
    telecap_signals_hold(1)
    defer { telecap_signals_hold(0) }
    return try body()
  }
}

import CSockets

/// A request to end, raised by a signal or by anyone, and looked at by whoever runs for long. Atomic; never lowered.
///
/// `@unchecked Sendable`: the pointer never changes, and what it points to is a C11 atomic.
public final class StopFlag: @unchecked Sendable {
  private let flag: OpaquePointer?

  /// A flag that is not raised.
  public init() { flag = telecap_flag_create() }

  deinit { telecap_flag_destroy(flag) }

  /// Whether anyone has asked to end. With no memory left for the flag itself the answer is yes.
  public var isRaised: Bool {
    guard let flag else { return true }
    return telecap_flag_is_raised(flag) != 0
  }

  /// Asks to end.
  public func raise() {
    if let flag { telecap_flag_raise(flag) }
  }

  /// Returns when the flag is raised; looks 50 times a second.
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

  /// How many signals raised or would have raised `signals`. It goes past 1 only while `holdingSecond` runs.
  public static var signalCount: Int { Int(telecap_flag_signal_count()) }

  /// The flag that Ctrl-C (SIGINT), SIGTERM and, unless it is ignored, SIGHUP raise from the first use of this property on. A
  /// second one ends the process at once. Lives as long as the process.
  public static let signals: StopFlag = {
    let stop = StopFlag()
    if let flag = stop.flag { _ = telecap_flag_raise_on_signals(flag) }
    return stop
  }()

  /// Holds back the second signal while `body` runs, in which something is to be kept that would be lost: it ends nothing then.
  ///
  /// - Throws: what `body` throws.
  public static func holdingSecond<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    _ = signals
    telecap_signals_hold(1)
    defer { telecap_signals_hold(0) }
    return try await body()
  }

  /// The same for a `body` that blocks its thread.
  ///
  /// - Throws: what `body` throws.
  public static func holdingSecond<Value>(_ body: () throws -> Value) rethrows -> Value {
    _ = signals
    telecap_signals_hold(1)
    defer { telecap_signals_hold(0) }
    return try body()
  }
}

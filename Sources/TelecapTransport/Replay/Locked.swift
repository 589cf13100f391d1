import CSockets

/// A value that threads share, each alone with it for as long as it works on it.
///
/// `@unchecked Sendable`: the value is touched under the lock only.
public final class Locked<Value>: @unchecked Sendable {
  private let monitor: OpaquePointer?
  private var value: Value

  /// A value to share.
  public init(_ value: sending Value) {
    monitor = telecap_monitor_create()
    self.value = value
  }

  deinit { telecap_monitor_destroy(monitor) }

  /// Works on the value; others wait.
  public func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    if let monitor { telecap_monitor_lock(monitor) }
    defer { if let monitor { telecap_monitor_unlock(monitor) } }
    return try body(&value)
  }
}

import CSockets
import TelecapRecording

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An error of the operating system for a socket.
public struct SocketError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failed operation.
  public enum Operation: String, Sendable {
    /// Opening, binding or connecting a UDP socket.
    case open = "open a UDP socket to"
    /// Connecting over TCP.
    case connect = "connect over TCP to"
    /// Joining a multicast group.
    case join = "join the multicast group of"
    /// Sending.
    case send = "send to"
    /// Receiving.
    case receive = "receive from"
  }

  /// The failed operation.
  public var operation: Operation
  /// The remote address.
  public var endpoint: Endpoint
  /// The errno value.
  public var code: Int32

  /// The operation failed with this errno value.
  public init(_ operation: Operation, _ endpoint: Endpoint, code: Int32) {
    self.operation = operation
    self.endpoint = endpoint
    self.code = code
  }

  /// `cannot connect over TCP to 127.0.0.1:50000: Connection refused`.
  public var description: String {
    let advice = code == EMFILE ? "; each sender of a recording has a socket of its own: ulimit -n allows more" : ""
    return "cannot \(operation.rawValue) \(endpoint): \(Self.words(for: code))\(advice)"
  }

  /// The system's message for an errno value.
  public static func words(for code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      buffer.initialize(repeating: 0)
      telecap_error_message(code, buffer.baseAddress, buffer.count - 1)
      return buffer.baseAddress.map { String(cString: $0) } ?? "error \(code)"
    }
  }
}

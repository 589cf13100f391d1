import CSockets
import TelecapRecording

extension Endpoint {
  /// The endpoint in C; nil when its family is neither 4 nor 6.
  init?(_ raw: telecap_endpoint) {
    switch raw.family {
    case 4: self.init(IPAddress(v4: UInt32(truncatingIfNeeded: raw.low)), port: raw.port)
    case 6: self.init(IPAddress(v6High: raw.high, low: raw.low), port: raw.port)
    default: return nil
    }
  }

  /// The local endpoint of an open socket. The socket is closed if the system does not return it.
  ///
  /// - Throws: `SocketError` of this operation with the `other` endpoint.
  init(
    ofSocket descriptor: Int32, _ operation: SocketError.Operation, _ other: Endpoint
  ) throws(SocketError) {
    var own = telecap_endpoint()
    let code = telecap_local_endpoint(descriptor, &own)
    guard code == 0, let endpoint = Endpoint(own) else {
      close(descriptor)
      throw SocketError(operation, other, code: -code)
    }
    self = endpoint
  }

  /// The endpoint for C.
  var raw: telecap_endpoint {
    telecap_endpoint(high: address.high, low: address.low, port: port, family: address.family.rawValue)
  }
}

import CSockets
import TelecapConformance
import TelecapRecording

/// The other address of a peer (`SamePortPeer`): 127.0.0.2, which Linux has by default and macOS has not.
enum SecondLoopback {
  static let address = IPAddress(v4: 0x7f00_0002)

  /// The reason why not all of a script's peers can reach a system at this address; nil where they can.
  ///
  /// - Parameter place: the address of the system, evaluated only if needed; nil where it gets a loopback address.
  static func problem(_ actions: [Action], towards place: @autoclosure () -> Endpoint?) -> String? {
    guard SamePortPeer.isNeeded(for: actions) else { return nil }
    let system = place()
    guard system == nil || system?.address == .loopback else { return "telecap has one address to speak to it from" }
    return isThere ? nil : "this machine has no 127.0.0.2 to speak to it from"
  }

  private static let isThere: Bool = {
    var bound = Endpoint(address, port: 0).raw
    let socket = telecap_udp_open(Int32(address.family.rawValue), &bound, nil)
    guard socket >= 0 else { return false }
    close(socket)
    return true
  }()
}

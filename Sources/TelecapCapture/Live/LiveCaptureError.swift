/// Why capturing from an interface could not start or go on.
public enum LiveCaptureError: Error, Hashable, Sendable {
  /// The system does not let this user capture.
  case notPermitted(interface: String)
  /// There is no such interface; `available` are those that there are.
  case noSuchInterface(String, available: [String])
  /// libpcap does not understand the filter; `reason` are its words.
  case badFilter(String, reason: String)
  /// It is an interface of Bluetooth, and this machine has none; `reason` are libpcap's words.
  case noBluetooth(interface: String, reason: String)
  /// Something else; `reason` are libpcap's words.
  case failed(interface: String, reason: String)
}

extension LiveCaptureError: CustomStringConvertible {
  /// How to allow it. Everyone who may run a program with this right has the right, so only a group may run it. chgrp removes the
  /// right from a file: setcap is last.
  private static var allowing: String {
    #if os(Linux)
      "allow it once for a GROUP: T=$(command -v telecap); sudo chgrp GROUP $T && sudo chmod 750 $T && sudo setcap cap_net_raw=ep $T"
    #else
      "run it with sudo"
    #endif
  }

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .notPermitted(let interface):
      "\(interface): not permitted to capture; \(LiveCaptureError.allowing), or record without it: telecap record --relay"
    case .noSuchInterface(let name, let available):
      "\(name): no such interface; "
        + (available.isEmpty ? "none can be seen" : "there are \(available.joined(separator: ", "))")
    case .badFilter(let text, let reason):
      "the filter “\(text)” is not understood: \(reason)"
    case .noBluetooth(let interface, let reason):
      "\(interface): this machine has no Bluetooth that can be listened to (\(reason)); see what bluetoothctl list shows, or "
        + "record with btmon -w FILE.log, or on the phone, and read that with telecap import FILE.log"
    case .failed(let interface, let reason):
      "\(interface): \(reason)"
    }
  }
}

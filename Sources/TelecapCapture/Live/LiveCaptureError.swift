/// The reason why a capture from an interface could not start or continue.
public enum LiveCaptureError: Error, Hashable, Sendable {
  /// The user has no permission to capture.
  case notPermitted(interface: String)
  /// The interface does not exist; `available` are those that exist.
  case noSuchInterface(String, available: [String])
  /// libpcap rejects the filter; `reason` is its message.
  case badFilter(String, reason: String)
  /// The interface is a Bluetooth one, but the machine has no Bluetooth; `reason` is libpcap's message.
  case noBluetooth(interface: String, reason: String)
  /// Another error; `reason` is libpcap's message.
  case failed(interface: String, reason: String)
}

extension LiveCaptureError: CustomStringConvertible {
  /// The commands that allow it. Anyone who may run a program with this capability has it, so only a group may run it.
  /// chgrp removes the capability from a file, so setcap comes last, which takes no links.
  private static var allowing: String {
    #if os(Linux)
      "allow it once for a GROUP: T=$(realpath $(command -v telecap)); sudo chgrp GROUP $T && sudo chmod 750 $T && sudo setcap cap_net_raw=ep $T"
    #else
      "run it with sudo"
    #endif
  }

  /// The problem and the advice.
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

import CReport

/// The part of the plugin that reads messages in Wireshark, the same for every protocol (`CReport/wireshark.lua`): it goes by the tables that are before it in
/// the plugin, as `MessageDecoder` uses the plan of a protocol version, in the same order. Lua 5.2 to 5.4.
enum WiresharkEngine {
  static let lua = String(cString: telecap_wireshark_engine())
}

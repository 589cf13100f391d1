// The headers of encapsulations, built around what they carry.
import TelecapRecording
import TelecapTestSupport

@testable import TelecapCapture

enum Encapsulated {
  /// Apple's header, first version: length, type of what follows, DLT, name, flags, family, length before, and the rest.
  static func pktap(_ frame: [UInt8], dlt: UInt32, before: UInt32 = 14, type: UInt32 = 1, length: UInt32 = 108)
    -> [UInt8]
  {
    var list = ByteList()
    list.add(length, type, dlt)
    list.add(Array("pdp_ip0".utf8) + [UInt8](repeating: 0, count: 17))
    list.add(UInt32(1), 2, before, 0)
    return list.bytes + [UInt8](repeating: 0, count: max(0, Int(length) - list.bytes.count)) + frame
  }

  /// Its second version: lengths of a byte, DLT and length before of two, the flag.
  static func pktap2(_ frame: [UInt8], dlt: UInt16, before: UInt16 = 14, length: UInt8 = 40) -> [UInt8] {
    var list = ByteList()
    list.add([length, 0, 0, 40, 0, 0])
    list.add(dlt, before, 0, 0, 0)
    list.add(UInt32(2), 0, 0, 0, 0, 0x0008_0000)
    return list.bytes + [UInt8](repeating: 0, count: max(0, Int(length) - 40)) + frame
  }

  static func snap(_ packet: [UInt8], type: [UInt8] = [8, 0]) -> [UInt8] { [0xaa, 0xaa, 3, 0, 0, 0] + type + packet }

  /// An IEEE 802.11 data frame; the first two bytes are the frame control.
  static func wlan(_ data: [UInt8], control: [UInt8] = [0x08, 0x01], more: [UInt8] = [], fragment: UInt8 = 0) -> [UInt8]
  {
    control + [0, 0] + [UInt8](repeating: 2, count: 18) + [0x10 | fragment, 0] + more + data
  }

  /// Radiotap: time and flags are present, or what `present` says.
  static func radiotap(_ frame: [UInt8], flags: UInt8 = 0, present: [UInt32] = [3]) -> [UInt8] {
    var list = ByteList()
    list.add([0, 0, 0, 0])
    for word in present { list.add(word) }
    if present[0] & 1 != 0 {
      while list.bytes.count % 8 != 0 { list.add([0]) }
      list.add(UInt64(7))
    }
    if present[0] & 2 != 0 { list.add([flags]) }
    list.add([0, 0, 0])
    var bytes = list.bytes
    bytes[2] = UInt8(bytes.count)
    return bytes + frame
  }

  static func pppoe(_ content: [UInt8], length: Int? = nil, start: [UInt8] = [0x11, 0, 0, 1]) -> [UInt8] {
    start + [UInt8((length ?? content.count) >> 8), UInt8((length ?? content.count) & 255)] + content
  }

  static func mpls(_ packet: [UInt8], labels: Int = 1) -> [UInt8] {
    (0..<labels).flatMap { [0, 1, UInt8($0 == labels - 1 ? 1 : 0), 64] as [UInt8] } + packet
  }

  static func gre(_ packet: [UInt8], flags: UInt16 = 0, type: [UInt8] = [8, 0], fields: Int = 0) -> [UInt8] {
    [UInt8(flags >> 8), UInt8(flags & 255)] + type + [UInt8](repeating: 9, count: 4 * fields) + packet
  }

  static func ah(_ content: [UInt8], next: UInt8 = 17, words: UInt8 = 4) -> [UInt8] {
    [next, words] + [UInt8](repeating: 0, count: Int(words) * 4 + 6) + content
  }

  static func vxlan(_ frame: [UInt8], flags: UInt8 = 8) -> [UInt8] { [flags, 0, 0, 0, 0, 0, 7, 0] + frame }

  static func geneve(_ packet: [UInt8], type: [UInt8] = [0x65, 0x58], words: UInt8 = 2) -> [UInt8] {
    [words, 0] + type + [0, 0, 7, 0] + [UInt8](repeating: 1, count: Int(words) * 4) + packet
  }

  /// UDP to this port, over IPv4.
  static func udp(to port: UInt16, _ payload: [UInt8]) -> [UInt8] {
    var list = ByteList(isBig: true)
    list.add(UInt16(40_000), port, UInt16(8 + payload.count), 0)
    return Sample.ipv4(list.bytes + payload)
  }
}

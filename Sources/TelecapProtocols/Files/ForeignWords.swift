/// Words for types of other languages that are no type of a fixed size here, and what to write for them.
enum ForeignWords {
  static let hints: [String: String] = {
    let float = "floats have 32 or 64 bits: write \"u16\" for the bits of one of 16"
    let text = "write \"text N\" with its bytes, or \"text in FIELD\" with the field that counts them"
    let bytes = "write \"bytes N\" with their number, \"bytes in FIELD\" with the field that counts them, or \"rest\""
    let flag = "write \"u8\" with \"codes: {0: no, 1: yes}\", or with \"bits\" for flags"
    let slice = "write \"bits N\" with their number, such as \"bits 1\""
    let varying = "whole numbers have a fixed size: u8, u16, u24, u32 or u64"
    let whole = "write \"u8\" to \"u64\", or \"i8\" to \"i64\" where it may be negative"
    let time = "write \"u32\" or \"u64\" with its unit, such as \"unit: ms\""
    let names = "write \"u8\" with \"codes: {0: off, 1: on}\""
    let groups = [
      float: "f16 half float16 binary16", text: "string str chars utf8 ascii varchar char*",
      whole: "integer number num",
      "write \"text to 0\"": "cstring asciiz strz stringz",
      bytes: "blob data raw buffer array octets list vector opaque payload",
      flag: "bool boolean flag flags", slice: "bits bit bitfield", "write \"bits 4\"": "nibble",
      varying: "varint leb128 vlq usize size", time: "time timestamp date datetime duration", names: "enum",
      "write \"bytes 4\"": "ipv4 ip ipaddress", "write \"bytes 6\"": "mac ether macaddress",
      "write \"bytes 16\"": "uuid guid ipv6",
      "write its fields, or put them into \"parts\" and write {part: NAME}": "struct record object group union message",
      "write \"u8\" with \"reserved: true\", or \"bytes N\" where it may be anything":
        "pad padding skip void unused spare",
      "write \"i16\" with \"scale: 1/32768\", or another whole number with its scale": "fixed q15 fixedpoint decimal",
    ]
    var hints: [String: String] = [:]
    for (hint, words) in groups {
      for word in words.split(separator: " ") { hints[String(word)] = hint }
    }
    return hints
  }()
}

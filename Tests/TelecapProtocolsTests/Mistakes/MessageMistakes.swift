/// The head of the file, carriers, the header and messages.
enum MessageMistakes {
  static let rows: [Mistake] = [
    // The head.
    Mistake("protocol: lamp", "protocol: My Lamp", 1, 11, "lower-case letters and digits", "did you mean \"mylamp\"?"),
    Mistake("title: a lamp", "version: 1", 2, 1, "unknown key \"version\"", "is: constant"),
    Mistake("byte-order: little", "endianess: little", 3, 1, "unknown key \"endianess\"", "write \"byte-order\""),
    Mistake("byte-order: little", "byte_order: little", 3, 1, "did you mean \"byte-order\"?"),
    Mistake("byte-order: little", "byte-order: little_endian", 3, 13, "did you mean \"little\"?"),
    Mistake("byte-order: little", "byte-order: network", 3, 13, "write \"big\""),
    Mistake("byte-order: little", "exact: yes", 3, 8, "write true"),
    Mistake("messages:", "packets:", 11, 1, "unknown key \"packets\"", "write \"messages\""),
    Mistake(
      "header:\n  - {name: magic, type: text 2, equals: LP, is: identity}\n  - {name: kind, type: u8, is: type}\n", "",
      10, 11,
      "no field has the number", "write \"is: type\""),
    // Carriers.
    Mistake(
      "carriers:\n  - name: udp\n    over: udp\n    port: 7000\n", "", 1, 1, "protocol has no \"carriers\"",
      "Write carriers: [{name: udp, over: udp, port: 7000}]"),
    Mistake("  - name: udp\n    over: udp\n    port: 7000\n", "  udp: 7000\n", 5, 3, "write \"- name: udp\""),
    Mistake("  - name: udp\n    over", "  name: udp\n  over", 7, 5, "begin it in column 3"),
    Mistake("over: udp", "transport: udp", 6, 5, "unknown key \"transport\"", "write \"over\""),
    Mistake("over: udp", "over: UDP", 6, 11, "did you mean \"udp\"?"),
    Mistake("over: udp", "over: udp, tcp", 6, 11, "write \"ports: [{over: udp"),
    Mistake("    over: udp\n", "", 5, 5, "neither \"over\" nor \"ports\""),
    Mistake("port: 7000", "port: 70000", 7, 11, "a port from 1 to 65535"),
    Mistake("port: 7000", "port: '7000'", 7, 11, "write 7000, without quotes"),
    Mistake("port: 7000", "port: udp/7000", 7, 11, "write 7000"),
    Mistake("port: 7000", "ports: 7000", 7, 12, "for example ports: [{over: udp, port: 7000}]"),
    Mistake("port: 7000", "port: 7000\n    framing: length16", 8, 14, "each datagram is a message"),
    Mistake("port: 7000", "port: 7000\n    framing: {length: u32}", 8, 14, "each datagram is a message"),
    tcp("framing: uint32", 14, "write {length: u32}"), tcp("framing: length64", 14, "there is no frame", "\"none\""),
    tcp("framing: {length: u64}", 23, "expected one of u8, u16, u24, u32"),
    tcp("framing: {byte-order: big}", 14, "framing has no \"length\""),
    tcp("framing: {length: u8, byte-order: big}", 39, "no effect: a length of u8 has one byte"),
    // The header.
    Mistake("equals: LP", "equals: LAMP", 9, 41, "it has 4 bytes", "write \"type: text 4\""),
    Mistake("equals: LP", "equals: 0x4c50", 9, 41, "write LP"),
    Mistake("text 2, equals: LP", "bytes 2, equals: 4c50", 9, 42, "write \"type: u16\"", "\"equals: 0x4c50\""),
    Mistake("text 2, equals: LP", "u16, equals: LP", 9, 38, "write \"type: text 2\""),
    Mistake(", equals: LP", "", 12, 5, "neither \"equals\" nor \"with\""),
    Mistake("is: identity", "is: magic", 9, 49, "write \"identity\""),
    Mistake("is: type", "is: msgid", 10, 32, "write \"type\""),
    Mistake("u8, is: type", "u8", 13, 11, "write \"is: type\" at the one that has it"),
    // Messages.
    Mistake("- name: HELLO\n    type: 1", "- name: HELLO", 12, 5, "message \"HELLO\" has no \"type\""),
    Mistake("  - name: HELLO\n", "  - HELLO:\n", 12, 5, "write \"name: HELLO\""),
    Mistake("name: HELLO", "name: SAY-HELLO", 12, 11, "did you mean \"SAY_HELLO\"?"),
    Mistake("type: 1\n", "opcode: 1\n", 13, 5, "unknown key \"opcode\"", "write \"type\""),
    Mistake("type: 1\n", "type: '1'\n", 13, 11, "write 1, without quotes"),
    Mistake("type: 1\n", "type: 300\n", 13, 11, "whole numbers from 0 to 255"),
    Mistake("type: 1\n", "type: 3\n", 23, 11, "LEVEL cannot be distinguished from HELLO", "another \"type\""),
    Mistake("type: 1\n    from: client", "type: 1", 12, 5, "message has no \"from\""),
    Mistake("type: 1\n    from: client", "type: 1\n    from: server", 14, 11, "write \"host\""),
    Mistake("type: 1\n    from: client", "type: 1\n    from: both", 14, 11, "both-ways-over"),
    Mistake("type: 1\n    from: client", "type: 1\n    to: host", 14, 5, "unknown key \"to\"", "write \"from\""),
    Mistake("type: 1\n", "type: 1\n    over: udp\n", 14, 11, "expected a list", "write [udp]"),
    Mistake("type: 1\n", "type: 1\n    over: [upd]\n", 14, 12, "no transport \"upd\"", "did you mean \"udp\"?"),
    Mistake("      - {name: id, type: u32}\n", "", 15, 12, "found nothing", "for example fields: [{name: level"),
    Mistake("    fields:\n      - {name: id, type: u32}", "    fields: {id: u32}", 15, 13, "write \"- name: id\""),
    Mistake("    fields:\n      - {name: id", "    payload:\n      - {name: id", 15, 5, "write \"fields\""),
    Mistake("{name: id, type: u32}", "{part: header}", 16, 16, "there is no part \"header\""),
  ]

  /// A transport over TCP with another line.
  private static func tcp(_ line: String, _ column: Int, _ words: String...) -> Mistake {
    Mistake("    over: udp\n    port: 7000", "    over: tcp\n    port: 7000\n    \(line)", 8, column, all: words)
  }
}

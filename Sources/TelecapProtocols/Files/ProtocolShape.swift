import TelecapConformance
import TelecapWire

/// The keys and values of a protocol file: the decoder checks files against it, and `Documentation/protocol.schema.json` is made
/// from it.
public enum ProtocolShape {
  /// A whole file.
  public static let file = YAMLShape(
    "protocol",
    [
      YAMLKey(
        "protocol", .line, required: true,
        "Its name, such as dsu, in lower-case letters and digits: the first part of ids, tables and ports."),
      YAMLKey("title", .line, "A title, in a few words."),
      YAMLKey("source", .line, "The specification that the file was made from."),
      YAMLKey(
        "byte-order", .oneOf(ByteOrder.allCases.map(\.rawValue)), "The byte order of numbers; little unless given.",
        foreign: ForeignKeys.byteOrders),
      YAMLKey(
        "bit-order", .oneOf(BitOrder.words),
        "Which bits of a byte the first of several fields of bits takes; high-first unless given where the byte order is big, else low-first.",
        foreign: ForeignKeys.bitOrders),
      YAMLKey(
        "sides", .mapping(sides), "The names of the two sides; NAME-client and NAME-host unless given.",
        example: "{client: phone, host: lamp}"),
      YAMLKey(
        "exact", .flag,
        "A payload that is longer than its message is not a message; unless true, the bytes after the message are ignored."
      ),
      YAMLKey(
        "carriers", .list(.mapping(carrier)), required: true, "The transports of the protocol.",
        example: "[{name: udp, over: udp, port: 7000}]"),
      YAMLKey(
        "header", .list(.mapping(field)), "The fields that every message begins with.",
        example: "[{name: kind, type: u8, is: type}]"),
      YAMLKey(
        "parts", .dictionary(.list(.mapping(field))), "Fields that several messages have, by a name.",
        example: "{place: [{name: x, type: f32}]}"),
      YAMLKey(
        "messages", .list(.mapping(message)), required: true, "Its messages.",
        example: "[{name: LEVEL, from: client, fields: [{name: level, type: f32}]}]"),
      YAMLKey(
        "session", .mapping(session),
        "The messages that open, keep alive and close a session; no sessions unless given.",
        example: "{asked-by: HELLO, answered-by: [WELCOME]}"),
      YAMLKey(
        "requests", .list(.mapping(request)),
        "Requests that must be answered, other than the one that opens a session.",
        example: "[{name: state, message: GET, answered-by: [STATE]}]"),
      YAMLKey(
        "streams", .list(.mapping(stream)), "How a receiver must apply messages that are sent again and again.",
        example: "[{name: light, message: LEVEL, values: [level]}]"),
    ], foreign: ForeignKeys.file)

  static let carrier = YAMLShape(
    "carrier",
    [
      YAMLKey("name", .line, required: true, "Its name in captures, in lower-case letters, digits and -: udp."),
      YAMLKey("title", .line, "Its name in findings, in a word: WiFi."),
      YAMLKey(
        "over", .oneOf(["udp", "tcp", "ble"]), "The transport; ble is Bluetooth Low Energy.",
        foreign: ForeignKeys.transports),
      YAMLKey("port", .integer, "The port of the side that listens."),
      YAMLKey(
        "id", .line, "The port's id in options and captures; the names of the protocol and of this entry unless given."),
      YAMLKey("broadcast", .flag, "The host broadcasts to this port: only datagrams to it count."),
      YAMLKey("meaning", .line, "The purpose of the port, in a few words."),
      YAMLKey(
        "ports", .list(.mapping(port)), "Several ports, in place of \"over\" and \"port\".",
        example: "[{over: udp, port: 7000}]"),
      YAMLKey(
        "framing",
        .either([.oneOf(["none", "length16", "fixed"] + ByteStuffing.allCases.map(\.rawValue)), .mapping(frame)]),
        "Over tcp, the frame of each message; length16, a little-endian uint16 length, unless given. {length: u32} is another length. none: each shows its own size. fixed: all have one size, and the first byte shows where one begins. slip (RFC 1055) and cobs: a delimiter ends each message, which is encoded.",
        example: "{length: u32, byte-order: big}", foreign: ForeignKeys.framings),
      YAMLKey(
        "several", .either([.flag, .oneOf(["osc-bundle"])]),
        "Over udp, a datagram contains one message or several, one after the other, each of which shows its own size. osc-bundle: a message, or a bundle of OSC."
      ),
      YAMLKey(
        "characteristics", .dictionary(.line),
        "Over ble, the UUIDs of the characteristics and the message that each carries.",
        example: "{12345678-1234-1234-1234-123456789ABD: LEVEL}"),
    ], foreign: ForeignKeys.carrier)

  static let frame = YAMLShape(
    "framing",
    [
      YAMLKey(
        "length", .oneOf(LengthFrameReader.types), required: true,
        "The type of the length before each message; it counts the bytes of the message."),
      YAMLKey(
        "byte-order", .oneOf(ByteOrder.allCases.map(\.rawValue)), "Of the length; that of the file unless given.",
        foreign: ForeignKeys.byteOrders),
      YAMLKey("counts-itself", .flag, "The length counts its own bytes too."),
    ])

  static let port = YAMLShape(
    "port",
    [
      YAMLKey("over", .oneOf(["udp", "tcp"]), required: true, "The transport."),
      YAMLKey("port", .integer, required: true, "Its number."),
      YAMLKey("id", .line, "Its id in options and captures; the protocol's name and the transport's unless given."),
      YAMLKey("broadcast", .flag, "The host broadcasts to it: only datagrams to it count."),
      YAMLKey("meaning", .line, "Its purpose, in a few words."),
    ], foreign: ForeignKeys.carrier)

  static let sides = YAMLShape(
    "sides",
    [
      YAMLKey("client", .line, required: true, "The side that speaks first: phone."),
      YAMLKey("host", .line, required: true, "The side that listens: host."),
    ], foreign: ForeignKeys.sides)

  /// The keys of a transport, and of its ports.
  public static var carrierKeys: [YAMLKey] { carrier.keys + port.keys }
  /// The keys of a message.
  public static var messageKeys: [YAMLKey] { message.keys }
  /// The keys of a session.
  public static var sessionKeys: [YAMLKey] { session.keys + instead.keys }

  /// The keys of a field.
  public static var fieldKeys: [YAMLKey] { field.keys + check.keys + when.keys }
  /// The keys of a stream.
  public static var streamKeys: [YAMLKey] { stream.keys }
  /// The keys of a request.
  public static var requestKeys: [YAMLKey] { request.keys }

  /// The types of fields on the wire.
  static let types = [
    "u8", "u16", "u24", "u32", "u64", "i8", "i16", "i24", "i32", "i64", "f32", "f64", "bits N", "text N",
    "text to 0", "text to ';'", "decimal to ';'", "decimal to end", "bytes N", "rest",
  ]

  static let field = YAMLShape(
    "field",
    [
      YAMLKey("part", .line, "Inserts the fields of this part here; alone, or with \"cut-zeros\"."),
      YAMLKey(
        "cut-zeros", .line,
        "With \"part\": zeros at the end of its bytes are not sent, and this earlier number counts those that are."),
      YAMLKey(
        "name", .line,
        "Its name, a column of captures: a lower-case letter, then lower-case letters, digits and _; no keyword of SQL."
      ),
      YAMLKey(
        "type", .line,
        "u8 … u64, i8 … i64, f32, f64, bits N, text N, bytes N, text in FIELD, bytes in FIELD, text to 0, text to ';', decimal to ';', decimal to end, rest.",
        example: "bytes 4"),
      YAMLKey(
        "repeat", .line,
        "In place of \"type\": its bytes are entries, each with the fields of this part, which are a table of their own in captures."
      ),
      YAMLKey(
        "times", .either([.integer, .line]),
        "With \"repeat\": the number of entries, or the earlier number that counts them; all that is left unless given.",
        example: "count"),
      YAMLKey("at", .integer, "Its offset, which is checked; after the field before it unless given."),
      YAMLKey(
        "byte-order", .oneOf(ByteOrder.allCases.map(\.rawValue)),
        "The byte order of its number; that of the file unless given.", foreign: ForeignKeys.byteOrders),
      YAMLKey(
        "bit-order", .oneOf(BitOrder.words),
        "With \"type: bits N\", for it and the fields of bits that follow it; that of the file unless given.",
        foreign: ForeignKeys.bitOrders),
      YAMLKey(
        "scale", .either([.number, .line]),
        "Its value is the number of the wire times this, plus the offset: 0.01, 1/32768; 1 unless given."),
      YAMLKey("offset", .number, "The value of the number 0, added after the scale; 0 unless given."),
      YAMLKey("unit", .line, "The unit of its value."),
      YAMLKey("meaning", .line, "Its purpose, in a few words."),
      YAMLKey(
        "equals", .either([.integer, .text]), "It is always this whole number, or this text of at most 8 bytes."),
      YAMLKey("reserved", .flag, "It is always 0."),
      YAMLKey("bits", .integer, "Only these bits of a whole number may be set.", example: "0x7"),
      YAMLKey(
        "range", .list(.number), "The smallest and the largest number, within what the type holds.", example: "[0, 1]"),
      YAMLKey("finite", .flag, "It is a float, and neither infinite nor NaN."),
      YAMLKey(
        "bit-names", .list(.line), "With \"bits\": their names, bit 0 first.", example: "[left, right]"),
      YAMLKey("shown", .oneOf(["number", "hexadecimal"]), "How a whole number is shown; number unless given."),
      YAMLKey("characters", .line, "Text of these visible ASCII characters and ranges of them: A-Z 0-9 _."),
      YAMLKey(
        "count", .either([.integer, .list(.integer)]),
        "With \"characters\": how many there are, or the smallest and the largest number; the field's size unless given."
      ),
      YAMLKey("json", .flag, "It is text in FIELD: a JSON object in UTF-8."),
      YAMLKey(
        "codes", .dictionary(.line), "The whole numbers from 0 that it may be, each with its name.",
        example: "{0: off, 1: on}"),
      YAMLKey(
        "is", .oneOf(["identity", "constant", "type", "length", "crc32"]),
        "Its role in a header: identity and constant are the same in every message, type identifies the message.",
        foreign: ForeignKeys.uses),
      YAMLKey(
        "less", .integer,
        "With \"in FIELD\": the bytes that the number counts and that are not of this field; 0 unless given."),
      YAMLKey(
        "words", .integer, "With \"in FIELD\" or \"is: length\": the number counts words of so many bytes, 2 to 64."),
      YAMLKey(
        "decimals", .integer, "With \"decimal to\": the number of digits after the point, 0 to 9; 0 unless given."),
      YAMLKey("padded-to", .integer, "With \"text to 0\": zeros follow up to a multiple of so many bytes, 2 to 64."),
      YAMLKey(
        "when", .mapping(when), "It is there only where an earlier number says so.",
        example: "{field: flags, bits: 0x10}"),
      YAMLKey("optional", .flag, "The message may end before it, and before all fields after it."),
      YAMLKey(
        "check", .either([.line, .mapping(check)]),
        "It is a checksum with this algorithm, of all bytes before it, or of another range: \(ChecksumAlgorithm.names.joined(separator: ", ")), crc."
      ),
      YAMLKey(
        "unknown", .oneOf(["message", "malformed"]),
        "With \"is: type\": how a payload of an undeclared type is read; message unless given."),
      YAMLKey(
        "excluding", .integer,
        "With \"is: length\": the number of bytes at the start of a message, none after the header, that it does not count."
      ),
    ], foreign: ForeignKeys.field)

  static let when = YAMLShape(
    "when",
    [
      YAMLKey("field", .line, required: true, "The number, unsigned, before the field."),
      YAMLKey("bits", .integer, "The field is there where all these bits are set."),
      YAMLKey("equals", .integer, "The field is there where the number is this one."),
    ], foreign: ForeignKeys.when)

  static let check = YAMLShape(
    "check",
    [
      YAMLKey(
        "algorithm", .oneOf(ChecksumAlgorithm.names + ["crc"]), required: true,
        "The algorithm; crc is a CRC with your own parameters."),
      YAMLKey("polynomial", .integer, "Of crc, the polynomial without its highest bit: 0x1021."),
      YAMLKey(
        "reflect", .flag, "Of crc, the lowest bit of each byte comes first, in the result too; false unless given."),
      YAMLKey(
        "init", .integer,
        "The value before the first byte, not reflected; 0 unless given. Not for a CRC that has a name."),
      YAMLKey(
        "xorout", .integer,
        "The result is combined with it by exclusive or; 0 unless given. Not for a CRC that has a name."),
      YAMLKey("from", .line, "The first field that it covers, or start, unless given."),
      YAMLKey("to", .line, "The last field that it covers, or end; all before the checksum unless given."),
      YAMLKey(
        "extra", .integer, "A byte that is added after the covered ones and is not in the message: MAVLink's CRC_EXTRA."
      ),
    ], foreign: ForeignKeys.check)

  static let message = YAMLShape(
    "message",
    [
      YAMLKey("name", .line, required: true, "Its name: PAD."),
      YAMLKey(
        "type", .either([.integer, .line]), "The number or the text in the field of the header that \"is: type\"."),
      YAMLKey(
        "from", .oneOf(["host", "client"]), required: true,
        "The side that sends it; the host is the side that listens.",
        foreign: ForeignKeys.senders),
      YAMLKey("over", .list(.line), "The names of the transports that may carry it; all unless given."),
      YAMLKey(
        "both-ways-over", .oneOf(["udp", "tcp", "ble"]), "The transport over which the other side may send it too."),
      YAMLKey(
        "usually-over", .oneOf(["udp", "tcp", "ble"]),
        "The transport that its sender uses, if several ports are declared."),
      YAMLKey("bare", .flag, "It has no header: only its size discriminates it."),
      YAMLKey(
        "with", .dictionary(.either([.integer, .text])), "Header fields that are constant in it.",
        example: "{version: 2}"),
      YAMLKey("fields", .list(.mapping(field)), "Its fields after the header.", example: "[{name: level, type: f32}]"),
      YAMLKey("unit-quaternion", .list(.line), "Four f32 fields next to one another whose norm is 1, the scalar last."),
      YAMLKey("meaning", .line, "Its purpose, in a few words."),
      YAMLKey("source", .line, "Where the text describes it."),
    ], foreign: ForeignKeys.message)

  static let session = YAMLShape(
    "session",
    [
      YAMLKey(
        "opens", .oneOf(["with-any-message"]), "The first message of a flow opens the session; without other keys."),
      YAMLKey("asked-by", .line, "The client's message that asks for one."),
      YAMLKey("id", .line, "The unsigned number in that message that names the session."),
      YAMLKey("answered-by", .list(.line), "The host's messages that answer it, and so open the session."),
      YAMLKey("code", .line, "The text field in that message with the code that the host checks."),
      YAMLKey(
        "accepts", .dictionary(.either([.integer, .line])),
        "The field of the answer, and the value by which it accepts.", example: "{status: 0}"),
      YAMLKey(
        "rejects", .mapping(rejects),
        "With \"accepts\": the values of that field by which the answer rejects, each for its reason.",
        example: "{busy: 2}"),
      YAMLKey(
        "clients", .integer,
        "With \"accepts\": the number of clients that hold a session at a time, 1 to 1000; no limit unless given."),
      YAMLKey(
        "instead", .mapping(instead),
        "How a session is requested over a Bluetooth transport that does not carry \"asked-by\"."),
      YAMLKey("outside", .list(.line), "Messages that belong to no session, such as a host's beacons."),
      YAMLKey("needed-by", .list(.line), "Messages that are valid only in a session; outside one they are a finding."),
      YAMLKey("closed-by", .line, "The client's message that ends it."),
      YAMLKey("timeout", .time, "The session ends if either side sends nothing for this time, 10ms or longer."),
      YAMLKey(
        "keepalive", .list(.line), "The client's messages that keep it alive; each of its messages unless given."),
    ], foreign: ForeignKeys.session)

  static let rejects = YAMLShape(
    "rejects",
    [
      YAMLKey("code", .either([.integer, .line]), "The \"code\" of the request is wrong."),
      YAMLKey("busy", .either([.integer, .line]), "Other clients have all sessions that the host allows."),
    ])

  static let instead = YAMLShape(
    "instead",
    [
      YAMLKey("asked-by", .line, required: true, "The client's message that asks for a session there."),
      YAMLKey("shown-by", .line, required: true, "The host's message that shows that a session is open."),
      YAMLKey("interval", .time, required: true, "The time from one of these to the next, 1ms to 3600s."),
    ])

  static let request = YAMLShape(
    "request",
    [
      YAMLKey(
        "name", .line, required: true,
        "Its name, in lower-case letters, digits and -: the second part of its requirement's id."),
      YAMLKey("message", .line, required: true, "The message that requests."),
      YAMLKey("answered-by", .list(.line), required: true, "The other side's messages that answer; one is enough."),
      YAMLKey("timeout", .time, "The time within which the answer is due, 1ms to 3600s; 1s unless given."),
    ], foreign: ForeignKeys.request)

  static let order = YAMLShape(
    "order",
    [
      YAMLKey("field", .line, required: true, "The unsigned field that numbers the messages."),
      YAMLKey(
        "rule", .either([.oneOf(["serial", "greater", "none"]), .mapping(window)]),
        "Which number is newer: serial arithmetic (RFC 1982) unless given, a window, the greater one, or none: as they come.",
        example: "{window: 20}"),
      YAMLKey("restarts", .mapping(restarts), "With rule greater: the numbers at which counting may begin anew."),
      YAMLKey("unused", .integer, "The number of messages that have none, which counting skips: 0 in Art-Net and DDP."),
      YAMLKey(
        "duplicates", .oneOf(["dropped", "applied"]),
        "A message with the number of the one before it is dropped unless given, or applied as well."),
    ], foreign: ForeignKeys.order)

  static let window = YAMLShape(
    "rule",
    [
      YAMLKey(
        "window", .integer, required: true,
        "A number that is behind by less than this is old, any other is newer; 20 in ANSI E1.31, 6.7.2."),
      YAMLKey(
        "wraps", .flag, "After the largest number comes the first one, unless false: numbers are compared as they are."),
    ])

  static let restarts = YAMLShape(
    "restarts",
    [
      YAMLKey(
        "from", .integer, required: true, "After a number of at least this each other one is newer; 250 in WLED."),
      YAMLKey("to", .integer, required: true, "A number of at most this is newer than each other one; 20 in WLED."),
    ])

  /// The keys of a stream's order.
  public static var orderKeys: [YAMLKey] { order.keys + window.keys + restarts.keys }

  static let stream = YAMLShape(
    "stream",
    [
      YAMLKey(
        "name", .line, required: true,
        "Its name, in lower-case letters, digits and -: the second part of its requirements' ids."),
      YAMLKey("message", .line, required: true, "The message that carries it."),
      YAMLKey("also", .list(.line), "Other messages that carry it, in fields of the same names."),
      YAMLKey(
        "order", .either([.line, .mapping(order)]),
        "The unsigned field that numbers them, or that field and its rule; the order of arrival unless given."),
      YAMLKey(
        "key", .list(.line), "The unsigned fields that identify one of several streams, such as a slot.",
        example: "[slot]"),
      YAMLKey("values", .list(.line), "The fields that are applied: numbers.", example: "[level]"),
      YAMLKey(
        "merge", .oneOf(StreamRules.Merge.allCases.map(\.rawValue)),
        "latest unless given: the newest is the state. sum: values add up. event: each message is one.",
        foreign: ForeignKeys.merges),
      YAMLKey(
        "range", .list(.number), "The smallest and the largest number: the applied value is clamped to it.",
        example: "[0, 1]"),
      YAMLKey(
        "not-finite", .oneOf(["dropped", "clamped-or-dropped", "any"]),
        "How a receiver may handle NaN and ∞; dropped unless given. clamped-or-dropped requires a range; any: applied or dropped."
      ),
      YAMLKey(
        "in-session", .flag, "Outside a session nothing is applied, and a new session restarts the stream."),
      YAMLKey("silence", .time, "The applied value is 0 after this time without a message, 1ms to 3600s."),
      YAMLKey(
        "neutral", .dictionary(.number),
        "The neutral values of fields, which a sender that ends early sends last.", example: "{level: 0}"),
      YAMLKey(
        "interval", .time, "The maximum time between two messages of a sender during a session, 1ms to 3600s."),
      YAMLKey(
        "rate", .number,
        "The maximum number of messages per second from a sender for each key; a tenth more is tolerated."),
    ], foreign: ForeignKeys.stream)
}

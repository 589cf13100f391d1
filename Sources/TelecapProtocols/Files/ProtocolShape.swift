import TelecapConformance
import TelecapWire

/// What may stand in a protocol file: the decoder checks files against it, and `Documentation/protocol.schema.json` is made
/// from it.
public enum ProtocolShape {
  /// A whole file.
  public static let file = YAMLShape(
    "protocol",
    [
      YAMLKey(
        "protocol", .line, required: true,
        "Its name, such as dsu, in lower-case letters and digits: the first part of ids, tables and ports."),
      YAMLKey("title", .line, "What it is, in a few words."),
      YAMLKey("source", .line, "The text that the file was made from."),
      YAMLKey("byte-order", .oneOf(ByteOrder.allCases.map(\.rawValue)), "How numbers stand; little unless given."),
      YAMLKey("carriers", .list(.mapping(carrier)), required: true, "What carries it."),
      YAMLKey("header", .list(.mapping(field)), "The fields that every message begins with."),
      YAMLKey("parts", .dictionary(.list(.mapping(field))), "Fields that several messages have, by a name."),
      YAMLKey("messages", .list(.mapping(message)), required: true, "Its messages."),
      YAMLKey("session", .mapping(session), "How sessions show; none unless given."),
      YAMLKey(
        "requests", .list(.mapping(request)), "Requests that are answered, apart from the one that opens a session."),
      YAMLKey("streams", .list(.mapping(stream)), "What a receiver must make of messages that come again and again."),
    ])

  static let carrier = YAMLShape(
    "carrier",
    [
      YAMLKey("name", .line, required: true, "Its name in captures, in lower-case letters, digits and -: udp."),
      YAMLKey("over", .oneOf(["udp", "tcp"]), required: true, "What it runs over."),
      YAMLKey("port", .integer, required: true, "The port of the side that listens."),
      YAMLKey(
        "id", .line, "The port's id in options and captures; the protocol's name and the carrier's unless given."),
      YAMLKey(
        "framing", .oneOf(["none", "length16"]),
        "Over tcp, the frame of each message; length16 unless given. Without one, each shows its own size."),
    ])

  /// The keys of a field.
  public static var fieldKeys: [YAMLKey] { field.keys }
  /// The keys of a stream.
  public static var streamKeys: [YAMLKey] { stream.keys }
  /// The keys of a request.
  public static var requestKeys: [YAMLKey] { request.keys }

  /// How a field stands on the wire.
  static let types = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "text N", "bytes N", "rest"]

  static let field = YAMLShape(
    "field",
    [
      YAMLKey("part", .line, "The fields of this part stand here; alone."),
      YAMLKey(
        "name", .line,
        "Its name, a column of captures: a lower-case letter, then lower-case letters, digits and _; no word of SQL."),
      YAMLKey("type", .line, "u8 … u64, i8 … i64, f32, f64, text N, bytes N, text in FIELD, bytes in FIELD, rest."),
      YAMLKey("at", .integer, "Its offset, which is checked; after the field before it unless given."),
      YAMLKey("unit", .line, "The unit of its number."),
      YAMLKey("meaning", .line, "What it is for, in a few words."),
      YAMLKey(
        "equals", .either([.integer, .text]), "It is always this whole number, or this text of at most 8 bytes."),
      YAMLKey("reserved", .flag, "It is always 0."),
      YAMLKey("bits", .integer, "Only these bits of a whole number may be set."),
      YAMLKey("range", .list(.number), "The smallest and the largest number, within what the type holds."),
      YAMLKey("finite", .flag, "It is a float, and neither infinite nor NaN."),
      YAMLKey("codes", .dictionary(.line), "The whole numbers from 0 that it may be, each with its name."),
      YAMLKey(
        "is", .oneOf(["identity", "constant", "type", "length", "crc32"]),
        "What it is for in a header: identity and constant are the same in every message, type tells messages apart."),
      YAMLKey(
        "excluding", .integer,
        "With \"is: length\": the bytes at the start of a message, none behind the header, that it does not count."),
    ])

  static let message = YAMLShape(
    "message",
    [
      YAMLKey("name", .line, required: true, "Its name: PAD."),
      YAMLKey("type", .integer, "The number in the field of the header that \"is: type\"."),
      YAMLKey("from", .oneOf(["host", "client"]), required: true, "Who sends it; the host is the side that listens."),
      YAMLKey("over", .list(.line), "The carriers that it may come over; all unless given."),
      YAMLKey("with", .dictionary(.either([.integer, .text])), "Header fields that are always the same in it."),
      YAMLKey("fields", .list(.mapping(field)), "Its fields behind the header."),
      YAMLKey("meaning", .line, "What it is for, in a few words."),
      YAMLKey("source", .line, "Where the text describes it."),
    ])

  static let session = YAMLShape(
    "session",
    [
      YAMLKey("opens", .oneOf(["with-any-message"]), "The first message of a flow opens it; alone."),
      YAMLKey("asked-by", .line, "The client's message that asks for one."),
      YAMLKey("id", .line, "The unsigned number in that message that names the session."),
      YAMLKey("answered-by", .list(.line), "The host's messages that answer it, and so open the session."),
      YAMLKey("closed-by", .line, "The client's message that ends it."),
      YAMLKey("timeout", .time, "So long a silence of either side ends it: 10ms or longer."),
      YAMLKey(
        "keepalive", .list(.line), "The client's messages that keep it alive; each of its messages unless given."),
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
    ])

  static let stream = YAMLShape(
    "stream",
    [
      YAMLKey(
        "name", .line, required: true,
        "Its name, in lower-case letters, digits and -: the second part of its requirements' ids."),
      YAMLKey("message", .line, required: true, "The message that carries it."),
      YAMLKey("order", .line, "The unsigned field that numbers them; the order of arrival unless given."),
      YAMLKey("key", .list(.line), "The unsigned fields that tell several streams apart, such as a slot."),
      YAMLKey("values", .list(.line), "The fields that are applied: numbers."),
      YAMLKey(
        "merge", .oneOf(StreamRules.Merge.allCases.map(\.rawValue)),
        "latest unless given: the newest is the state. sum: values add up. event: each message is one."),
      YAMLKey("range", .list(.number), "The smallest and the largest number: the applied value is clamped to it."),
      YAMLKey("silence", .time, "After so long without a message, 1ms to 3600s, the applied value is 0."),
      YAMLKey(
        "neutral", .dictionary(.number),
        "The neutral values of fields, which a sender that ends early sends last."),
      YAMLKey(
        "interval", .time, "A sender sends one at least so often while a session lasts, 1ms to 3600s."),
      YAMLKey("rate", .number, "A sender sends at most so many a second for each key; a tenth more is tolerated."),
    ])
}

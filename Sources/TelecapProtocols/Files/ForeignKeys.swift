/// Keys and words of other formats (Kaitai Struct, Protocol Buffers, Wireshark, structs of C), and what a protocol file has in
/// their place. Only words that mean one thing are here: a wrong advice is worse than the list of all keys.
enum ForeignKeys {
  static let file = writing([
    "protocol": "name id meta", "title": "description doc comment meaning",
    "byte-order": "endian endianness endianess endianity byteorder",
    "bit-order": "bit-endian bitorder",
    "carriers": "transport transports port ports connection connections over",
    "messages": "packets structs types commands",
    "parts": "groups", "source": "url spec reference", "sides": "roles",
    "write \"header\" for the fields of all messages, and \"fields\" in each of \"messages\"": "fields seq",
    "write \"codes\" at the field": "enums enum",
    "a file has no version; that of the protocol is a field of the header with \"is: constant\"": "version",
  ])

  static let carrier = writing([
    "over": "transport protocol type kind layer", "port": "number", "meaning": "description comment doc",
    "framing": "frame delimiter length-prefix", "several": "compound bundle bundled packed multiple batch",
    "characteristics": "uuid uuids service services",
    "leave it out: a protocol has no addresses, which commands are given": "host address ip",
  ])

  static let sides = writing(["host": "server receiver device robot", "client": "sender phone app controller"])

  static let field = writing([
    "equals": "value const constant contents magic fixed eq", "meaning": "description comment doc note help",
    "codes": "enum values choices options names", "byte-order": "endian endianness endianess byteorder",
    "check": "checksum crc hash", "when": "if condition present", "shown": "display format base",
    "scale": "factor multiplier resolution", "at": "pos position start", "bits": "mask bitmask",
    "characters": "pattern regex",
    "write \"range: [smallest, largest]\"": "min max minimum maximum valid limits between",
    "the size is in the type: write \"type: bytes 4\", \"text 16\" or \"text in FIELD\"":
      "size length lenght len width bytes",
    "entries are \"repeat: PART\" and \"times: 3\", or \"times: FIELD\"": "repeated repeat-expr array",
    "leave it out: \"equals\" is for constants": "default initial",
    "leave it out: a field is there unless it is \"optional: true\"": "required",
  ])

  static let when = writing([
    "field": "name", "equals": "value is eq", "bits": "bit mask", "write {field: NAME, bits: 0x10}": "flag flags",
  ])

  static let check = writing([
    "polynomial": "poly", "algorithm": "type name kind method", "reflect": "refin refout reflected reverse",
    "init": "initial seed", "xorout": "xor final xor-out",
    "write \"from\" and \"to\" with the first and the last field": "over range covers fields",
  ])

  static let message = writing([
    "type": "id code opcode number command msgid value tag kind", "from": "sender direction by",
    "fields": "body payload contents seq struct data", "meaning": "description comment doc title",
    "over": "transport transports carrier carriers",
    "write \"from\", which is the other side": "to receiver destination",
    "leave it out: the size follows from the fields": "size length len",
    "leave it out: the header of the file is that of each message, unless it is \"bare: true\"": "header",
  ])

  static let stream = writing([
    "order": "sequence seq number counter", "values": "fields value apply", "key": "keys id slot",
    "silence": "timeout ttl expires loss", "rate": "frequency hz fps", "interval": "period every",
    "merge": "mode policy", "range": "limits clamp min max", "message": "type packet",
  ])

  static let session = writing([
    "asked-by": "opened-by request hello connect open", "answered-by": "response reply accepted-by ack",
    "closed-by": "close bye end ends disconnect", "keepalive": "heartbeat ping keep-alive", "timeout": "expires ttl",
    "code": "token password pin", "clients": "max-clients",
  ])

  static let request = writing([
    "message": "request query ask asked-by", "answered-by": "answer answers response reply",
    "timeout": "deadline within",
  ])

  static let order = writing([
    "field": "name sequence number", "write \"rule: {window: 20}\"": "window wraps",
    "write \"rule: serial\"": "serial", "write \"rule: greater\"": "greater",
  ])

  // MARK: - Values

  static let byteOrders = writing([
    "little": "le lsb lsb-first intel", "big": "be msb msb-first network motorola",
  ])

  static let bitOrders = writing([
    "high-first": "msb msb0 msb-first big be", "low-first": "lsb lsb0 lsb-first little le",
  ])

  static let transports = writing([
    "ble": "bluetooth bt gatt",
    "write \"ports: [{over: udp, port: 7000}, {over: tcp, port: 7000}]\" in place of \"over\" and \"port\"":
      "udp,tcp udp/tcp tcp/udp both",
  ])

  static let framings = writing([
    "length16": "length uint16 u16 length-prefixed",
    "write {length: u8}": "length8 uint8 u8", "write {length: u24}": "length24 uint24 u24",
    "write {length: u32}": "length32 uint32 u32",
    "there is no frame with such a length: write \"none\" with a field of the header that \"is: length\"":
      "length64 uint64 u64",
  ])

  static let senders = writing([
    "host": "server receiver device robot", "client": "sender phone app controller",
    "write one side, and \"both-ways-over: udp\" where the other may send it too": "both any either all",
  ])

  static let uses = writing([
    "identity": "magic signature sync", "constant": "version const fixed",
    "type": "id msgid message-id opcode code command kind", "length": "size len", "crc32": "crc checksum",
    "leave it out, and name the field as \"order\" of a stream": "sequence seq counter number",
  ])

  static let merges = writing([
    "latest": "newest last replace state", "sum": "add total accumulate", "event": "events each",
  ])

  /// Foreign words by what to write for them: a word of ours, or a sentence.
  private static func writing(_ words: KeyValuePairs<String, String>) -> [String: String] {
    var advice: [String: String] = [:]
    for (ours, foreign) in words {
      let sentence = ours.contains(" ") ? ours : "write \"\(ours)\""
      for word in foreign.split(separator: " ") { advice[String(word)] = sentence }
    }
    return advice
  }
}

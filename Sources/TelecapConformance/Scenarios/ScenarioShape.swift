import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapWire

/// The keys of a scenario file, for the checks of the decoder and for `Documentation/scenario.schema.json`.
public enum ScenarioShape {
  /// The shape of a file with the keys of these suites.
  static func scenario(_ suites: [Suite]) -> YAMLShape { YAMLShape("scenario", keys(suites)) }

  private static func keys(_ suites: [Suite]) -> [YAMLKey] {
    let parts = suites.flatMap(\.models).map(\.part.name)
    let expect = YAMLShape("expect", ExpectationDecoder.keys(suites).map(\.key))
    return [
      YAMLKey("requirement", .line, required: true, "The id of the requirement, such as tele.hello.busy."),
      YAMLKey("role", .oneOf(parts), required: true, "The part of the system under test."),
      YAMLKey("code", .line, "The code by which a host lets a client in; ABC123 unless given."),
      YAMLKey(
        "carrier", .either([carrier, .list(carrier)]),
        "What carries the messages: udp, tcp, ble or a list; unless given, each that the requirement holds for and that carries them, a stream whole and cut at every byte."
      ),
      YAMLKey("haptics", .flag, "The host has forces to send as HAPTIC."),
      YAMLKey("impacts", .flag, "The phone plays impacts in place of a continuous output."),
    ] + suites.flatMap(\.setupKeys).map(\.key) + [
      YAMLKey(
        "acknowledge", .either([.flag, .mapping(acknowledge(suites)), .list(.mapping(acknowledge(suites)))]),
        "When our side answers what asks for a session, and with what: all the time that it may come in unless given."),
      YAMLKey("leave", .flag, "At the end the system is asked to end, and what it then sends is judged too."),
      YAMLKey("steps", .list(.mapping(step(suites))), "What is sent and asked."),
      YAMLKey("impair", .mapping(impair(suites)), "What the network does to what is sent."),
      YAMLKey("grid", .mapping(grid), "Values to be combined, one case for each combination."),
      YAMLKey("seeds", .integer, "How many seeds each combination is run with: 1, 2, 3 …; 1 unless given."),
      YAMLKey("expect", .mapping(expect), "What must hold; unless given, what the requirement says of its stream."),
      YAMLKey("end", .time, "When a run ends; a second after the last step unless given."),
    ]
  }

  private static let carrier = YAMLType.oneOf(Carrier.allCases.map(\.name))
  private static let carrierOfStep = YAMLType.oneOf(Carrier.overIP.map(\.name))
  private static func kinds(_ suites: [Suite]) -> YAMLType { .oneOf(MessageBuilder.names(suites)) }
  private static let integers = YAMLType.list(.integer)

  private static func acknowledge(_ suites: [Suite]) -> YAMLShape {
    YAMLShape(
      "acknowledge",
      [
        YAMLKey("from", .time, "Not before this time."),
        YAMLKey("until", .time, "Not from this time on."),
        YAMLKey("with", .oneOf(StepDecoder.answerWords(suites)), "What the answer says; that it lets in unless given."),
      ])
  }

  private static func step(_ suites: [Suite]) -> YAMLShape {
    let ask = YAMLShape("ask", StepDecoder.actionKeys(suites).map(\.key))
    return YAMLShape(
      "step",
      [
        YAMLKey("at", .time, "When, since the start of the run; as the step before unless given."),
        YAMLKey(
          "from", .line,
          "Who: a, b … to a host; host to a phone. Each name is an address of its own; a@other has the port of a at another one."
        ),
        YAMLKey("send", kinds(suites), "The message."),
        YAMLKey(
          "with", .dictionary(.either([.list(.either([.number, .text, entry, .list(entry)])), scalar])),
          "Its fields by name; of a list, each message takes the next value. Other fields are right; what numbers a stream counts from 1."
        ),
        YAMLKey("hex", .either([.hex, .list(.hex)]), "The bytes themselves, of one message or of several."),
        YAMLKey("set", .dictionary(.integer), "Bytes to change, by their offset."),
        YAMLKey("add", .hex, "Bytes to put behind the message."),
        YAMLKey(
          "lengths", .either([.oneOf(["all"]), integers]),
          "Cut to these lengths, a message each; all: to every one that is shorter."),
        YAMLKey("count", .integer, "How many messages, or how often it opens or closes."),
        YAMLKey("for", .time, "How long to send them."),
        YAMLKey("rate", .number, "How many a second."),
        YAMLKey("every", .time, "How long from one to the next; 10ms unless given."),
        YAMLKey(
          "mutate", .integer,
          "So many mutations of the messages, in place of the messages; over TCP of their frames, unless they keep something."
        ),
        YAMLKey(
          "keep", .integer,
          "So many bytes at the start of each mutated message stay as they are; over TCP it comes in a right frame."),
        YAMLKey("over", carrierOfStep, "What carries it, where it is not what the message's protocol says."),
      ] + suites.flatMap(\.stepKeys).map(\.key) + [
        YAMLKey("open", .flag, "A TCP connection opens, or a Bluetooth link."),
        YAMLKey("close", .flag, "The TCP connection closes, or the Bluetooth link."),
        YAMLKey("reset", .flag, "The TCP connection is reset (RST), or the Bluetooth link closes."),
        YAMLKey(
          "end-session", .flag,
          "The session that a phone opened last is ended by its host, with a BYE of its own session_id."),
        YAMLKey("ask", .mapping(ask), "What the user of a mouse does, or what is done to a device."),
        YAMLKey(
          "answer", .either([.oneOf(StepDecoder.answers(suites)), .list(.oneOf(StepDecoder.answers(suites)))]),
          "What the system must answer to each message; of a list, one of it."
        ),
        YAMLKey("capture", .text, "A capture whose messages are sent, at their times from here."),
        YAMLKey(
          "as", .oneOf(suites.flatMap(\.models).compactMap(\.part.role?.name)),
          "Whose messages of the capture are sent."),
      ])
  }

  private static let scalar = YAMLType.either([.number, .text])
  /// An entry of a field that repeats, its fields by name.
  private static let entry = YAMLType.dictionary(scalar)

  private static func impair(_ suites: [Suite]) -> YAMLShape {
    YAMLShape(
      "impair",
      [YAMLKey("network", .line, network)]
        + ImpairmentList.all.optionsInOrder.map { YAMLKey($0.name, $0.isFlag ? .flag : .text, $0.help) } + [
          YAMLKey("only", .list(kinds(suites)), "Only messages of these kinds suffer."),
          YAMLKey("from", .time, "Only what is sent from this time on suffers."),
        ])
  }

  private static let network = "A network of Scenarios/networks, or of a file; what stands beside it counts more."

  private static let grid = YAMLShape(
    "grid",
    [YAMLKey("network", .list(.text), "\(network) none leaves it out.")]
      + ImpairmentList.all.optionsInOrder.filter { !$0.isFlag }.map {
        YAMLKey($0.name, .list(.text), "\($0.help) none leaves it out.")
      } + [
        YAMLKey("pieces", integers, "TCP streams are cut into pieces of so many bytes.")
      ])
}

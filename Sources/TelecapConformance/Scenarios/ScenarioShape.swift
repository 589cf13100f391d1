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
      YAMLKey("code", .line, "The pairing code of the host; ABC123 unless given."),
      YAMLKey(
        "carrier", .either([carrier, .list(carrier)]),
        "The transports: udp, tcp, ble or a list; unless given, each that the requirement applies to and that carries the messages, and a stream both whole and cut at every byte."
      ),
      YAMLKey("haptics", .flag, "The host has forces to send as HAPTIC."),
      YAMLKey("impacts", .flag, "The phone plays impacts in place of a continuous output."),
    ] + suites.flatMap(\.setupKeys).map(\.key) + [
      YAMLKey(
        "acknowledge", .either([.flag, .mapping(acknowledge(suites)), .list(.mapping(acknowledge(suites)))]),
        "When and with what our side answers requests for a session; always, and that it accepts, unless given."),
      YAMLKey("leave", .flag, "At the end of a run the system is asked to exit, and its last messages are tested too."),
      YAMLKey(
        "steps", .list(.mapping(step(suites))), "The messages that are sent, and the actions that are requested."),
      YAMLKey("impair", .mapping(impair(suites)), "The impairments of the messages that are sent."),
      YAMLKey("grid", .mapping(grid), "Values to be combined, one case for each combination."),
      YAMLKey("seeds", .integer, "The number of seeds for each combination: 1, 2, 3 …; 1 unless given."),
      YAMLKey("expect", .mapping(expect), "The expectations; unless given, the requirement on its stream."),
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
        YAMLKey("with", .oneOf(StepDecoder.answerWords(suites)), "The content of the answer; acceptance unless given."),
      ])
  }

  private static func step(_ suites: [Suite]) -> YAMLShape {
    let ask = YAMLShape("ask", StepDecoder.actionKeys(suites).map(\.key))
    return YAMLShape(
      "step",
      [
        YAMLKey("at", .time, "The time since the start of the run; that of the step before unless given."),
        YAMLKey(
          "from", .line,
          "The sender: a, b … to a host; host to a phone. Each name is an address of its own; a@other has the port of a at another address."
        ),
        YAMLKey("send", kinds(suites), "The message."),
        YAMLKey(
          "with", .dictionary(.either([.list(.either([.number, .text, entry, .list(entry)])), scalar])),
          "Its fields by name; each message takes the next value of a list. Other fields have valid values; sequence numbers count from 1."
        ),
        YAMLKey("hex", .either([.hex, .list(.hex)]), "The bytes themselves, of one message or of several."),
        YAMLKey("set", .dictionary(.integer), "Bytes to change, by their offset."),
        YAMLKey("add", .hex, "Bytes to append to the message."),
        YAMLKey(
          "lengths", .either([.oneOf(["all"]), integers]),
          "A message cut to each of these lengths; all: to every shorter length."),
        YAMLKey("count", .integer, "The number of messages, or how often it opens or closes."),
        YAMLKey("for", .time, "How long to send them."),
        YAMLKey("rate", .number, "The number of messages per second."),
        YAMLKey("every", .time, "The time from one to the next; 10ms unless given."),
        YAMLKey(
          "mutate", .integer,
          "The number of mutated messages, in place of the messages; over TCP their frames are mutated, unless \"keep\" is given."
        ),
        YAMLKey(
          "keep", .integer,
          "The number of unchanged bytes at the start of each mutated message; over TCP it has a valid frame."),
        YAMLKey("over", carrierOfStep, "The transport, if it is not the one that the message's protocol declares."),
      ] + suites.flatMap(\.stepKeys).map(\.key) + [
        YAMLKey("open", .flag, "A TCP connection opens, or a Bluetooth link."),
        YAMLKey("close", .flag, "The TCP connection closes, or the Bluetooth link."),
        YAMLKey("reset", .flag, "The TCP connection is reset (RST), or the Bluetooth link closes."),
        YAMLKey(
          "end-session", .flag,
          "The session that a phone opened last is ended by its host, with a BYE of its own session_id."),
        YAMLKey("ask", .mapping(ask), "An action of the user of a mouse, or an action on a device."),
        YAMLKey(
          "answer", .either([.oneOf(StepDecoder.answers(suites)), .list(.oneOf(StepDecoder.answers(suites)))]),
          "The answer that the system must send to each message, or a list of which one is enough."
        ),
        YAMLKey("capture", .text, "A capture whose messages are sent, at their times from here."),
        YAMLKey(
          "as", .oneOf(suites.flatMap(\.models).compactMap(\.part.role?.name)),
          "The side whose messages of the capture are sent."),
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
          YAMLKey("only", .list(kinds(suites)), "Impair only messages of these kinds."),
          YAMLKey("from", .time, "Impair only messages that are sent from this time on."),
        ])
  }

  private static let network =
    "A network profile: a name of Scenarios/networks, or a file. Explicit impairments override it."

  private static let grid = YAMLShape(
    "grid",
    [YAMLKey("network", .list(.text), "\(network) none leaves it out.")]
      + ImpairmentList.all.optionsInOrder.filter { !$0.isFlag }.map {
        YAMLKey($0.name, .list(.text), "\($0.help) none leaves it out.")
      } + [
        YAMLKey("pieces", integers, "TCP streams are cut into pieces of this number of bytes.")
      ])
}

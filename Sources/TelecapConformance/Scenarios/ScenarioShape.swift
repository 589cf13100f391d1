import TelecapModels
import TelecapRecording

/// What may stand in a scenario file: the decoder checks files against it, and `Documentation/scenario.schema.json` is
/// made from it.
public enum ScenarioShape {
  /// A whole file.
  public static let scenario = YAMLShape(
    "scenario",
    [
      YAMLKey("requirement", .text, required: true, "The id of the requirement, such as tele.hello.busy."),
      YAMLKey("role", .oneOf(Part.allCases.map(\.rawValue)), required: true, "The part of the system under test."),
      YAMLKey("code", .text, "The code that a host shows and a phone sends; ABC123 unless given."),
      YAMLKey("carrier", carrier, "What carries TELE: udp (udp-v1, unless given) or tcp (tcp-v1)."),
      YAMLKey("haptics", .flag, "The host has forces to send as HAPTIC."),
      YAMLKey("impacts", .flag, "The phone plays impacts in place of a continuous output."),
      YAMLKey("views", .text, "The views on the screen of what traces touches, as JSON."),
      YAMLKey("supported", .flag, "The device has the hardware: haptics, or pressure; true unless given."),
      YAMLKey(
        "acknowledge", .either([.flag, .mapping(acknowledge)]),
        "When our host acknowledges the phone's HELLOs: all the time unless given."),
      YAMLKey("steps", .list(.mapping(step)), "What is sent and asked."),
      YAMLKey("impair", .mapping(impair), "What the network does to what is sent."),
      YAMLKey("grid", .mapping(grid), "Values to be combined, one case for each combination."),
      YAMLKey("seeds", .integer, "How many seeds each combination is run with: 1, 2, 3 …; 1 unless given."),
      YAMLKey("expect", .mapping(expect), "What must hold; unless given, what the requirement says of its stream."),
      YAMLKey("end", .time, "When a run ends; a second after the last step unless given."),
    ])

  private static let carrier = YAMLType.oneOf(["udp", "tcp"])
  private static let kinds = YAMLType.oneOf(StepDecoder.kinds.map(\.name))
  private static let numbers = YAMLType.list(.number)
  private static let integers = YAMLType.list(.integer)

  private static let acknowledge = YAMLShape(
    "acknowledge",
    [
      YAMLKey("from", .time, "Not before this time."),
      YAMLKey("until", .time, "Not from this time on."),
    ])

  private static let step = YAMLShape(
    "step",
    [
      YAMLKey("at", .time, "When, since the start of the run; as the step before unless given."),
      YAMLKey("from", .text, "Who: a, b … to a host; host to a phone. Each name is an address of its own."),
      YAMLKey("send", kinds, "The message."),
      YAMLKey(
        "with", .dictionary(.either([.list(scalar), scalar])),
        "Its fields by name; of a list, each message takes the next value. Other fields are right, POSE counts seq."),
      YAMLKey("hex", .either([.hex, .list(.hex)]), "The bytes themselves, of one message or of several."),
      YAMLKey("set", .dictionary(.integer), "Bytes to change, by their offset."),
      YAMLKey("add", .hex, "Bytes to put behind the message."),
      YAMLKey(
        "lengths", .either([.oneOf(["all"]), integers]),
        "Cut to these lengths, a message each; all: to every one that is shorter."),
      YAMLKey("count", .integer, "How many messages."),
      YAMLKey("for", .time, "How long to send them."),
      YAMLKey("rate", .number, "How many a second."),
      YAMLKey("every", .time, "How long from one to the next; 10ms unless given."),
      YAMLKey("mutate", .integer, "So many mutations of the messages, in place of the messages."),
      YAMLKey("over", carrier, "What carries it, where it is not what the message's protocol says."),
      YAMLKey("touch", .mapping(TouchSteps.shape), "Samples of a touch."),
      YAMLKey("open", .flag, "A TCP connection opens."),
      YAMLKey("close", .flag, "The TCP connection closes."),
      YAMLKey("ask", .mapping(ask), "What the user of a mouse does, or what is done to a device."),
      YAMLKey(
        "answer", .either([answer, .list(answer)]), "What the system must answer to each message; of a list, one of it."
      ),
      YAMLKey("capture", .text, "A capture whose messages are sent, at their times from here."),
      YAMLKey("as", .oneOf(Role.allCases.map(\.rawValue)), "Whose messages of the capture are sent."),
    ])

  private static let scalar = YAMLType.either([.number, .text])
  private static let answer = YAMLType.oneOf(StepDecoder.answers.map(\.0))

  private static let ask = YAMLShape(
    "ask",
    [
      YAMLKey("connect", .flag, "Both connections come up."),
      YAMLKey("move", numbers, "A movement: delta_x, delta_y and, if given, scroll; may be .nan."),
      YAMLKey("press", .integer, "These buttons are down from now on: 1 left, 2 right, 4 middle."),
      YAMLKey("report", integers, "A movement as a HID report: delta_x, delta_y, scroll, buttons."),
    ] + DeviceActionDecoder.keys)

  static let network = [
    ("loss", "Drop with this probability: 5%, or 5%,25% with its correlation."),
    ("loss-model", "A model of loss: gemodel:1%,10% or state:…"),
    ("corrupt", "Flip a bit with this probability."), ("duplicate", "Deliver twice with this probability."),
    ("delay", "Deliver so much later."), ("jitter", "Deliver so much earlier or later than the delay."),
    ("distribution", "How jitter is spread: uniform, normal, pareto or paretonormal."),
    ("reorder", "Hold back behind later packets: 5% or 5%,3."), ("rate", "The link's rate: 64kbit."),
    ("stall", "Nothing leaves for a while, every so often: 1s@3s."),
  ]

  private static let impair = YAMLShape(
    "impair",
    network.map { YAMLKey($0.0, .text, $0.1) } + [
      YAMLKey("keep-order", .flag, "Delay changes no order."),
      YAMLKey("only", .list(kinds), "Only messages of these kinds suffer."),
    ])

  private static let grid = YAMLShape(
    "grid",
    network.map { YAMLKey($0.0, .list(.text), "\($0.1) none leaves it out.") } + [
      YAMLKey("pieces", integers, "TCP streams are cut into pieces of so many bytes.")
    ])

  private static let expect = YAMLShape(
    "expect",
    [
      YAMLKey(
        "streams", .either([.oneOf(["all"]), .list(.oneOf(StreamRequirement.allCases.map(\.rawValue)))]),
        "The oracle's verdict on these requirements; all: on every stream that the system shows."),
      YAMLKey(
        "poses", .either([integers, .list(integers)]),
        "The seq of the poses applied, in order; or several lists, one of which."),
      YAMLKey(
        "strengths", .either([numbers, .list(numbers)]),
        "The strengths at which the motor ran, each change once; or several lists, one of which."),
      YAMLKey("impacts", .list(.oneOf(HapticImpact.allCases.map(\.rawValue))), "The impacts that were played."),
      YAMLKey("commands", .list(integers), "The commands that made a difference: [cmd_type, value] each."),
      YAMLKey("pointer", integers, "Where the pointer is at the end, from where it began: [x, y]."),
      YAMLKey("buttons", .integer, "Which buttons are down at the end."),
      YAMLKey("hello-every", .mapping(helloEvery), "HELLO comes so often."),
      YAMLKey("notices-loss", .list(.time), "The phone notices the loss of its session this long after the last ACK."),
      YAMLKey("haptic-in-range", .integer, "Every HAPTIC is in range, and at least so many come."),
      YAMLKey(
        "movements", .list(.oneOf(Expectation.MovementRule.allCases.map(\.rawValue))),
        "What the packets of each movement keep to."),
      YAMLKey(
        "refused", .oneOf(["not-connected", "invalid-data"]), "The last call is refused, and nothing is sent for it."),
      YAMLKey("tells", .list(.text), "What a device tells, line by line, each with its time: 200ms playing normal."),
      YAMLKey("includes", .list(.text), "Lines that a device tells in this order, whatever comes between."),
      YAMLKey("never", .list(.text), "How nothing begins that a device tells."),
      YAMLKey("at-most", .mapping(thresholds), "What is measured is no more than this."),
      YAMLKey("reports", .list(.hex), "The HID reports that are sent."),
    ])

  private static let thresholds = YAMLShape(
    "thresholds",
    Measure.allCases.map { YAMLKey($0.rawValue, $0.isTime ? .time : .number, $0.meaning) })

  private static let helloEvery = YAMLShape(
    "hello-every",
    [
      YAMLKey("at-most", .time, required: true, "The longest time without one."),
      YAMLKey("from", .time, required: true, "From this time on."),
      YAMLKey("until", .time, required: true, "Up to this time."),
    ])
}

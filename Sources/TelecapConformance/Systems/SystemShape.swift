import TelecapModels
import TelecapRecording

/// The keys of a system file, for the checks of the decoder and for its JSON Schema.
public enum SystemShape {
  /// The shape of a file.
  public static func system(_ suites: Suites) -> YAMLShape {
    let parts = suites.parts.filter { $0.side != nil || $0.program != nil }.map(\.name)
    return YAMLShape(
      "system",
      [YAMLKey("role", .oneOf(parts), required: true, "Its part.")] + keys
        + [YAMLKey("shows", .mapping(shows(suites)), "How it shows what it does; on the wire only unless given.")]
        + suites.all.flatMap(\.systemKeys).map(\.key.key) + deeds(suites))
  }

  /// The user actions that a system can perform, if a suite has any.
  private static func deeds(_ suites: Suites) -> [YAMLKey] {
    let deeds = suites.all.flatMap(\.deeds)
    guard !deeds.isEmpty else { return [] }
    let keys = deeds.map { YAMLKey($0.name, .either([.text, .mapping(SystemFile.deedShape)]), $0.meaning) }
    return [
      YAMLKey(
        "does", .mapping(YAMLShape("does", keys)),
        "How it is made to do what a user does: a line on its standard input, a command or an HTTP request.")
    ]
  }

  private static let keys: [YAMLKey] = [
    YAMLKey("name", .line, "How reports name it; the file's name unless given."),
    YAMLKey(
      "command", .list(.text), required: true,
      "The program and its arguments; a path with a slash is relative to this file. $UDP, $TCP, $HTTP, $EVENTS and "
        + "$CODE are the ports and the code of the run, $TELECAP is this program, $STIMULUS the file of what a device "
        + "is told; $$NAME is $NAME for a shell."),
    YAMLKey("with", .mapping(needs), "Arguments that are added for what a scenario needs."),
    YAMLKey("environment", .dictionary(.text), "Variables, beside those that it inherits."),
    YAMLKey("directory", .text, "Where it runs, relative to this file; this file's directory unless given."),
    YAMLKey("ready", .mapping(ready), "How it is known to be ready; its port is open, or it speaks, unless given."),
    YAMLKey("addresses", .mapping(addresses), "Where it is spoken to; a device is told by its standard input."),
    YAMLKey("code", .line, "The code that it shows or sends, where it does not take $CODE."),
    YAMLKey("reuse", .flag, "It is started once and kept for all scenarios."),
    YAMLKey("end", .mapping(end), "How it is asked to end; by SIGTERM, within 2 s, unless given."),
    YAMLKey("output-limit", .integer, "A run in which it prints more bytes is a flood; 16777216 unless given."),
  ]

  private static let needs = YAMLShape(
    "with",
    [
      YAMLKey("udp", .list(.text), "For TELE over UDP."),
      YAMLKey("tcp", .list(.text), "For TELE over TCP."),
      YAMLKey(
        "haptics", .list(.text), "For a host, so that it sends forces: in every run; without this key it never does."),
      YAMLKey("quiet", .list(.text), "For a host whose file has no haptics: what keeps it from sending forces."),
      YAMLKey("impacts", .list(.text), "For a phone that plays impacts; without this key it never does."),
    ])

  private static let ready = YAMLShape(
    "ready",
    [
      YAMLKey("line", .text, "A line that holds this text, on stdout or stderr."),
      YAMLKey("port", .oneOf(["udp", "tcp"]), "This port of it is open."),
      YAMLKey("speaks", .flag, "It has sent its first message."),
      YAMLKey("after", .time, "So long after its start."),
      YAMLKey("within", .time, "How long it may take; 10s unless given."),
    ])

  private static let addresses = YAMLShape(
    "addresses",
    [
      YAMLKey("udp", .line, "HOST:PORT where a host listens or a phone sends to; free: a free port, which is $UDP."),
      YAMLKey("tcp", .line, "The same for TCP; free: a free port, which is $TCP."),
      YAMLKey("http", .oneOf(["free"]), "A free port of 127.0.0.1 for requests that make it act, which is $HTTP."),
    ])

  private static let end = YAMLShape(
    "end",
    [
      YAMLKey("signal", .oneOf(SystemFile.Ending.allCases.map(\.rawValue)), "SIGTERM, SIGINT or SIGKILL."),
      YAMLKey("within", .time, "How long it may take; after that it is killed, and counts as hung."),
    ])

  private static let source = YAMLType.either([.oneOf(["stdout", "stderr"]), .mapping(elsewhere)])

  private static let elsewhere = YAMLShape(
    "from",
    [
      YAMLKey(
        "file", .text,
        "A file that it appends to, relative to its directory; with a * in its name the newest that matches and that the "
          + "program begins or goes on with in the run."),
      YAMLKey("udp", .either([.integer, .oneOf(["free"])]), "A port that it sends to; free: a free one, $EVENTS."),
    ])

  private static func shows(_ suites: Suites) -> YAMLShape {
    YAMLShape(
      "shows",
      [
        YAMLKey(
          "from", .either([source, .list(source)]), "Where it prints its lines; stdout unless given."),
        YAMLKey(
          "format", .oneOf(LineFormat.allCases.map(\.rawValue)),
          "How it writes them, each line for itself unless given: "
            + LineFormat.allCases.map { "\($0.rawValue): \($0.meaning)" }.joined(separator: "; ") + "."),
        YAMLKey("events", .list(.mapping(event(suites))), required: true, "What its events are."),
      ])
  }

  /// The names of events: those of protocols and of devices.
  private static func names(_ suites: Suites) -> [String] {
    let devices = suites.parts.compactMap(\.program).flatMap(\.allEvents).map(\.name)
    return (suites.kindNames + devices).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static let scalar = YAMLType.either([.flag, .number, .text])

  private static func event(_ suites: Suites) -> YAMLShape {
    YAMLShape("event", [YAMLKey("is", .oneOf(names(suites)), required: true, "What it is to us.")] + eventKeys)
  }

  private static let eventKeys: [YAMLKey] = [
    YAMLKey("stream", .line, "Of which stream of its protocol, where it is applied."),
    YAMLKey(
      "line", .text,
      "Where it prints text: a regular expression that a line matches; its named groups, such as (?<x>[-0-9.]+), are "
        + "the names that paths begin with."),
    YAMLKey(
      "when", .dictionary(.either([.list(scalar), scalar])),
      "What stands in it: key paths such as state.name, each with a value or a list of values."),
    YAMLKey(
      "fields", .dictionary(.either([.text, .mapping(field)])),
      "Where our fields stand in it: a key path such as pose.0 for each."),
  ]

  private static let field = YAMLShape(
    "field",
    [
      YAMLKey("path", .text, "The key path."),
      YAMLKey("value", scalar, "What it always is, in place of a path."),
      YAMLKey("words", .dictionary(scalar), "What the words mean that stand there."),
      YAMLKey("times", .number, "What the number there is multiplied by."),
      YAMLKey("decimals", .integer, "The number of decimals to which the program rounds what it prints there."),
      YAMLKey("cut", .flag, "The program cuts what it prints to these decimals, and does not round it."),
    ])
}

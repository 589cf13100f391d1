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
        + [
          YAMLKey(
            "shows", .mapping(shows(suites)),
            "How telecap reads its output; it is tested from its traffic only unless given.")
        ]
        + suites.all.flatMap(\.systemKeys).map(\.key.key) + deeds(suites))
  }

  /// The key with the actions of a user: its name, and its old name, which is accepted too.
  static let actionKeys = ["actions", "does"]

  /// The user actions that a system can perform, if a suite has any.
  private static func deeds(_ suites: Suites) -> [YAMLKey] {
    let deeds = suites.all.flatMap(\.deeds)
    guard !deeds.isEmpty else { return [] }
    let keys = deeds.map { YAMLKey($0.name, .either([.text, .mapping(SystemFile.deedShape)]), $0.meaning) }
    let actions = YAMLType.mapping(YAMLShape(actionKeys[0], keys))
    return [
      YAMLKey(
        actionKeys[0], actions,
        "How telecap triggers the actions of its user: a line on its standard input, a command or an HTTP request."),
      YAMLKey(actionKeys[1], actions, "The old name of \"actions\"."),
    ]
  }

  private static let keys: [YAMLKey] = [
    YAMLKey("name", .line, "Its name in reports; the file's name unless given."),
    YAMLKey(
      "command", .list(.text), required: true,
      "The program and its arguments; a path with a slash is relative to this file. $UDP, $TCP, $HTTP, $EVENTS and "
        + "$CODE are the ports and the code of the run, $TELECAP is this program, $STIMULUS the file with the stimuli "
        + "of a device; $$NAME is $NAME for a shell."),
    YAMLKey("with", .mapping(needs), "Arguments that are added if a scenario needs them."),
    YAMLKey("environment", .dictionary(.text), "Environment variables, in addition to those that it inherits."),
    YAMLKey("directory", .text, "Its working directory, relative to this file; this file's directory unless given."),
    YAMLKey(
      "ready", .mapping(ready), "How telecap detects that it is ready; by an open port or a first message unless given."
    ),
    YAMLKey("addresses", .mapping(addresses), "Its addresses; a device reads its stimuli from standard input."),
    YAMLKey("code", .line, "Its pairing code, if it does not take $CODE."),
    YAMLKey("reuse", .flag, "It is started once and kept for all scenarios."),
    YAMLKey("end", .mapping(end), "How it is asked to exit; by SIGTERM, within 2 s, unless given."),
    YAMLKey("output-limit", .integer, "The maximum number of bytes that it prints in a run; 16777216 unless given."),
  ]

  private static let needs = YAMLShape(
    "with",
    [
      YAMLKey("udp", .list(.text), "For TELE over UDP."),
      YAMLKey("tcp", .list(.text), "For TELE over TCP."),
      YAMLKey(
        "haptics", .list(.text), "For a host: makes it send forces, in every run; without this key it never does."),
      YAMLKey("quiet", .list(.text), "For a host whose file has no haptics: stops it from sending forces."),
      YAMLKey("impacts", .list(.text), "For a phone: makes it play impacts; without this key it never does."),
    ])

  private static let ready = YAMLShape(
    "ready",
    [
      YAMLKey("line", .text, "A line that contains this text, on stdout or stderr."),
      YAMLKey("port", .oneOf(["udp", "tcp"]), "Its port of this transport is open."),
      YAMLKey("speaks", .flag, "It has sent its first message."),
      YAMLKey("after", .time, "This time has passed since its start."),
      YAMLKey("within", .time, "The maximum time; 10s unless given."),
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
      YAMLKey("within", .time, "The maximum time; after it the program is killed, and counts as hung."),
    ])

  private static let source = YAMLType.either([.oneOf(["stdout", "stderr"]), .mapping(elsewhere)])

  private static let elsewhere = YAMLShape(
    "from",
    [
      YAMLKey(
        "file", .text,
        "A file that it appends to, relative to its directory; with a * in its name the newest that matches and that the "
          + "program creates or continues in the run."),
      YAMLKey(
        "udp", .either([.integer, .oneOf(["free"])]),
        "A UDP port that it sends its events to; free: a free port, which is $EVENTS."),
    ])

  private static func shows(_ suites: Suites) -> YAMLShape {
    YAMLShape(
      "shows",
      [
        YAMLKey(
          "from", .either([source, .list(source)]), "The output with its lines; stdout unless given."),
        YAMLKey(
          "format", .oneOf(LineFormat.allCases.map(\.rawValue)),
          "The format of the output, each line for itself unless given: "
            + LineFormat.allCases.map { "\($0.rawValue): \($0.meaning)" }.joined(separator: "; ") + "."),
        YAMLKey("events", .list(.mapping(event(suites))), required: true, "The events of the program."),
      ])
  }

  /// The names of events: those of protocols and of devices.
  private static func names(_ suites: Suites) -> [String] {
    let devices = suites.parts.compactMap(\.program).flatMap(\.allEvents).map(\.name)
    return (suites.kindNames + devices).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static let scalar = YAMLType.either([.flag, .number, .text])

  private static func event(_ suites: Suites) -> YAMLShape {
    YAMLShape(
      "event",
      [YAMLKey("is", .oneOf(names(suites)), required: true, "The event of telecap that it stands for.")] + eventKeys)
  }

  private static let eventKeys: [YAMLKey] = [
    YAMLKey("stream", .line, "The stream of its protocol, with \"is: applied\"."),
    YAMLKey(
      "line", .text,
      "For text: a regular expression that matches a line; paths begin with the names of its groups, such as "
        + "(?<x>[-0-9.]+)."),
    YAMLKey(
      "when", .dictionary(.either([.list(scalar), scalar])),
      "The contents that identify it: key paths such as state.name, each with a value or a list of values."),
    YAMLKey(
      "fields", .dictionary(.either([.text, .mapping(field)])),
      "Where it has telecap's fields: a key path such as pose.0 for each."),
  ]

  private static let field = YAMLShape(
    "field",
    [
      YAMLKey("path", .text, "The key path."),
      YAMLKey("value", scalar, "Its constant value, in place of a path."),
      YAMLKey("words", .dictionary(scalar), "The values of the words at that path."),
      YAMLKey("times", .number, "The factor by which the number at that path is multiplied."),
      YAMLKey("decimals", .integer, "The number of decimals to which the program rounds the number."),
      YAMLKey("cut", .flag, "The program cuts the number to these decimals, and does not round it."),
    ])
}

import ArgumentParser
import TelecapFiles
import TelecapHapticTools
import TelecapHaptics
import TelecapImpairment
import TelecapReplay
import TelecapReport
import TelecapTransport

/// `telecap senses`: an event, or a session, as three senses perceive it.
struct Senses: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play a script of events as picture, spatial sound and touch: what each sense gets, when and why.",
    usage: "telecap senses <script> [<options>]\ntelecap senses --capture <capture> [<options>]",
    discussion: """
      Examples:
        telecap senses Captures/senses/explosion.yaml
        telecap senses explosion.yaml --format text
        telecap senses explosion.yaml --ahap felt --wav heard.wav --svg lanes.svg
        telecap senses --capture session.telecap --loss 20% --wav heard.wav
        telecap senses --capture session.telecap --follow

      A script is YAML: explosions and updates of the ring, the camera's and the
      head's path, heat, low power, the audio session, a busy main thread. The output
      is JSON Lines: the events of each sense, then the time between the senses over
      many trials, armed ahead and started now.

      From a capture, the command computes what a person felt (HAPTIC) and heard: a
      robot at --at, from the positions of the phone (POSE), through the given
      network. Impairments apply to HAPTIC and POSE only; messages that open and close
      a session get the constant delay alone. --follow reads a capture while it is
      being recorded, until the recording ends or Ctrl-C, and then writes the files.

      Exit status 1 if the senses of an event of a script are more than 3 frames of
      60 Hz (50 ms) apart in a trial, armed ahead.
      """)

  @Argument(help: ArgumentHelp("A script.", valueName: "script"))
  var script: String?

  @Option(name: .long, help: ArgumentHelp("A TELE session in place of a script.", valueName: "capture"))
  var capture: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --capture: the phone whose session is played, if there are several.", valueName: "address[:port]"))
  var phone: String?

  @Flag(name: .long, help: "With --capture: print events while the capture is being recorded.")
  var follow = false

  @Option(name: .long, help: ArgumentHelp("With --capture: the position of the robot's sound (m).", valueName: "x,y,z"))
  var at = "0,0,-1"

  @Option(name: .long, help: ArgumentHelp("Write the patterns that are felt into this folder.", valueName: "folder"))
  var ahap: String?

  @Option(name: .long, help: ArgumentHelp("Write the sound that is heard: two channels, 48 kHz.", valueName: "file"))
  var wav: String?

  @Option(name: .long, help: ArgumentHelp("Draw what is seen, heard and felt over time.", valueName: "file"))
  var svg: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The sound of an explosion or of the robot, with one channel (default: a built-in sound).", valueName: "wav"))
  var sound: String?

  @Flag(name: .long, help: "Replace the files of --ahap, --wav and --svg if they exist.")
  var force = false

  @OptionGroup(title: "Impairments") var network: NetworkOptions
  @OptionGroup var ports: PortNumbers
  @OptionGroup var attributes: AttributeOptions

  @Option(name: .long, help: "The output format: json (one object per line), or text.")
  var format: OutputFormat = .json

  func validate() throws {
    if (script == nil) == (capture == nil) { throw ValidationError("name a script, or a capture with --capture") }
    if Vector3(at) == nil { throw ValidationError("--at: '\(at)' is no position such as 0,0,-1") }
    try Given.refuse(
      ("\(NetworkOptions.names) seed at follow phone gatt", capture == nil, "requires --capture"),
      ("follow", capture.map(RecordingPlace.isStream) ?? false, "requires a file, which is read again as it grows"),
      ("seed", network.isUnimpaired, "requires an impairment"),
      ("wav", wav == "-", "requires a file: standard output has the events"),
      ("svg", svg == "-", "requires a file: standard output has the events"),
      ("sound", wav == nil && svg == nil && capture != nil, "requires --wav or --svg"),
      ("force", ahap == nil && wav == nil && svg == nil, "requires --ahap, --wav or --svg"))
    if capture == nil { try ports.refuse(words: "requires --capture") }
    try Given.refuseSame(
      [("the script", script), ("--capture", capture), ("--sound", sound)],
      to: [("--wav", wav), ("--svg", svg)] + SensesFiles.present(in: ahap))
  }

  func run() async throws {
    let files = SensesFiles(patterns: ahap, sound: wav, picture: svg, force: force)
    guard let capture else { return try play(script ?? "", files) }
    for line in try await session(capture, files) { Console.say(line) }
  }

  /// Prints the limits that a script exceeds, and fails the command.
  private func judge(_ run: SensesRun) throws {
    let failures = run.failures
    for line in failures { Console.say(line) }
    if !failures.isEmpty { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func play(_ script: String, _ files: SensesFiles) throws {
    let run = SensesRun(try SensesFiles.script(script), clip: try SoundFile.clip(sound, or: .burst))
    run.finding.map(Console.say)
    try format.print(SensesReport(run))
    for line in try files.write(run) { Console.say(line) }
    try judge(run)
  }

  private func session(_ capture: String, _ files: SensesFiles) async throws -> [String] {
    if follow { try await LiveSession.wait(for: capture, until: .signals) }
    let (clip, seed) = (try SoundFile.clip(sound, or: .rumble), network.chosenSeed())
    SensesFiles.finding(of: clip).map(Console.say)
    let (recording, impairments) = (try ports.recording(capture, attributes), try network.impairments)
    func placed(_ followed: FollowedSession) -> FollowedSession {
      var followed = followed
      followed.robot = Vector3(at) ?? followed.robot
      return followed
    }
    let session =
      if follow {
        try await LiveSession(
          recording, of: phone, by: impairments, seed: seed, in: Loaded.suites
        ).follow(until: .signals) {
          if format == .json { try format.print(FollowedReport(placed($0), channels: clip.channels.count, notes: [])) }
        }
      } else { try await CapturedSession(recording, of: phone, by: impairments, seed: seed, in: Loaded.suites) }
    let notes = session.notes + (network.isUnimpaired ? [] : ["seed \(seed)"])
    if !(follow && format == .json) {
      try format.print(FollowedReport(placed(session.followed), channels: clip.channels.count, notes: notes))
    }
    if format == .json { notes.forEach(Console.say) }
    return try files.write(placed(session.followed), clip, notes: notes, title: capture)
  }
}

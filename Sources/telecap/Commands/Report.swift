import ArgumentParser
import TelecapFiles
import TelecapReport
import TelecapText
import TelecapWeb

/// `telecap report`: a recording as one self-contained page.
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a page in one file: sessions, curves, findings of a recording.",
    usage: "telecap report [<options>] <input> ... -o <file>",
    discussion: """
      Examples:
        telecap report session.telecap -o session.html
        telecap report session.pcapng -o session.html --force
        telecap report last-week.json today.json -o compared.html

      The page shows what stands out, the sessions on one axis of time, the values
      of every stream as curves, and what was found, byte by byte. It holds all that
      it shows, asks for nothing, and can be sent to somebody who has no telecap.
      telecap view shows the same live, with every packet. What telecap conform
      --json wrote becomes a page too, several runs side by side.
      """)

  @Argument(help: ArgumentHelp("\(Help.recording) Or results of conform --json, one or more."))
  var inputs: [String]

  @OptionGroup var plans: PlanFiles
  @OptionGroup var place: OutputOptions
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func validate() throws {
    try plans.check(inputs)
    try Given.refuseSame(inputs.map { ("the input", $0) }, to: [("--output", place.output)])
    try Given.refuseSame(plans.paths.map { ("--plan", $0) }, to: [("--output", place.output)])
  }

  func run() throws {
    var output = try Output(path: place.output, force: place.force)
    let (text, damage) = try page()
    try output.write(Array(text.utf8))
    try output.finish()
    if place.output != "-" { Console.say("\(place.output): \(Numbers.counted(text.utf8.count, "byte"))") }
    if let damage { throw damage }
  }

  private func page() throws -> (text: String, damage: Damage?) {
    let results = try ResultsFiles.read(inputs, plans.paths)
    if let results { return (ResultsPage.text(results, tool: Telecap.tool), nil) }
    guard inputs.count == 1 else {
      throw ValidationError("one recording makes one page; telecap view shows several beside one another")
    }
    return try ports.recording(inputs[0], attributes).report(
      named: inputs[0], tool: Telecap.tool, plans: plans.paths, suites: Loaded.suites, tell: Console.say)
  }
}

import ArgumentParser
import TelecapFiles
import TelecapReport
import TelecapText
import TelecapWeb

/// `telecap report`: a recording as one self-contained page.
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a self-contained HTML page about a recording: sessions, curves, findings.",
    usage: "telecap report [<options>] <input> ... -o <file>",
    discussion: """
      Examples:
        telecap report session.telecap -o session.html
        telecap report session.pcapng -o session.html --force
        telecap report last-week.json today.json -o compared.html

      The page shows the issue list, the sessions on one time axis, the values of
      every stream as curves, and the findings byte by byte. It makes no network
      requests, and can be read without telecap. telecap view shows the same live,
      with every packet. The results of telecap conform --json become a page too,
      several runs side by side.
      """)

  @Argument(help: ArgumentHelp("\(Help.recording) Or results of conform --json, one or more."))
  var inputs: [String]

  @OptionGroup var plans: PlanFiles
  @OptionGroup var range: RangeOptions
  @OptionGroup var place: OutputOptions
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func validate() throws {
    try plans.check(inputs, range)
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
    if results != nil { try Given.refuse(("from until", true, PlanFiles.resultsWords)) }
    if let results { return (ResultsPage.text(results, tool: Telecap.tool), nil) }
    guard inputs.count == 1 else {
      throw ValidationError("a report is about one recording; telecap view shows several side by side")
    }
    return try ports.recording(inputs[0], attributes, range).report(
      named: inputs[0], tool: Telecap.tool, plans: plans.paths, suites: Loaded.suites, tell: Console.say)
  }
}

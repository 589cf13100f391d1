import ArgumentParser

/// Shrinking of failures, for commands that can repeat a run: live traffic cannot be repeated.
struct ShrinkOptions: ParsableArguments {
  @Flag(name: .long, help: "Reduce the impairments of each failure to the fewest that still fail.")
  var shrink = false
  @Option(name: .long, help: ArgumentHelp("The maximum number of runs to shrink one failure.", valueName: "count"))
  var shrinkRuns = 500

  /// The names of all options, separated by spaces.
  static let names = "shrink shrink-runs"

  /// The maximum number of runs to shrink one failure; nil without `--shrink`.
  var runs: Int? { shrink ? shrinkRuns : nil }

  func validate() throws {
    guard shrinkRuns > 0 else { throw ValidationError("--shrink-runs is \(shrinkRuns); it must be at least 1") }
    try Given.refuse(("shrink-runs", !shrink, "requires --shrink"))
  }
}

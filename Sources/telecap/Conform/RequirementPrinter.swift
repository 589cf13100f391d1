import TelecapConformance
import TelecapFiles
import TelecapReport
import TelecapSuites
import TelecapText

extension RequirementList {
  /// `conform --list`: prints the requirements of all suites.
  static func print(_ chosen: [Scenario], _ all: [Scenario], of suites: Suites, _ format: OutputFormat) throws {
    let list = RequirementList(suites.requirements, chosen, of: all)
    var output = Output()
    switch format {
    case .text: for line in list.lines { try output.line(line) }
    case .json:
      var json = JSONWriter()
      list.write(to: &json)
      try output.take(&json)
    }
    try output.flush()
  }
}

import Foundation
import TelecapTestSupport
import Testing

@testable import telecap

/// Options that have another name now: the old name is accepted, with a log line, and is in no help.
@Suite(.real("runs telecap")) struct RenamedOptionTests {
  @Test(
    "An old name becomes the name of today",
    arguments: [
      ("conform --budget 9s --seed=3", "conform --time-limit 9s --case-seed=3"),
      ("conform --network=--loss%5 --only a", "conform --case-network=--loss%5 --only a"),
      ("replay a.pcap --as phone --max-late 2ms", "replay a.pcap --role phone --fail-if-late 2ms"),
      ("plan a.pcap --as phone", "plan a.pcap --role phone"),
      ("ahap play a.ahap --to a:1 --max-late 2ms", "ahap play a.ahap --to a:1 --fail-if-late 2ms"),
      ("import a.events --as mouse -o b", "import a.events --input-format mouse -o b"),
      ("relay udp:1=a:2 --plan-up a --plan-down=b", "relay udp:1=a:2 --write-plan-up a --write-plan-down=b"),
      ("record -o a --filter udp", "record -o a --bpf udp"), ("learn --from a.yaml", "learn --repair a.yaml"),
      ("simulate host --rate 20", "simulate host --rate-hz 20"),
      ("simulate phone --rate 20", "simulate phone --rate-hz 20"),
      ("info --discover 5s --format json", "discover --duration 5s --format json"),
      ("info --discover=5s", "discover --duration=5s"),
    ])
  func renamed(_ given: String, _ today: String) {
    #expect(CurrentWords(words(given)).words == words(today))
    #expect(!CurrentWords(words(given)).notices.isEmpty)
  }

  @Test(
    "Options of other commands, values, and words after -- stay",
    arguments: [
      "replay a.pcap --seed 3 --network lte --rate 1mbit", "conform --only=--budget --time-limit 9s",
      "learn --role host -- ./host --from a --budget 9s", "protocols new a --from b.pcap", "relay udp:1=a:2 --filter",
      "plan a.pcap --from 1s", "conform --budgets 9s", "conform budget", "simulate mouse --rate 5",
    ])
  func unchanged(_ given: String) {
    let current = CurrentWords(words(given))
    #expect(current.words == words(given) && current.notices.isEmpty)
  }

  @Test("Each name of today is an option of its command, and no old name is")
  func help() {
    let options = Dictionary(OptionNames.byCommand.map { ($0.command, $0.options) }) { first, _ in first }
    for option in RenamedOption.all {
      for command in option.commands {
        #expect(options[option.movedTo ?? command]?.contains(option.new) == true, "\(command) --\(option.new)")
        #expect(options[command]?.contains(option.old) == false, "\(command) --\(option.old)")
      }
    }
  }

  @Test("The page on troubleshooting lists every renamed option")
  func page() throws {
    let page = try String(contentsOf: Project.file("Documentation/troubleshooting.md"), encoding: .utf8)
    for option in RenamedOption.all {
      let isListed = page.split(separator: "\n").contains { line in
        line.hasPrefix("|") && line.contains("`\(option.commands[0])`") && line.contains("--\(option.old)")
          && line.contains("--\(option.new)")
      }
      #expect(isListed, "\(option.commands) --\(option.old)")
    }
  }

  @Test(
    "An old name is reported once on standard error, and then the command does its work",
    arguments: [
      ("import nothing.events --as mouse -o a.telecap", "--as is now called --input-format"),
      ("learn --from=nothing.yaml", "--from is now called --repair"),
      ("info --discover 5s --tele-udp 5", "info --discover is now called discover --duration"),
    ])
  func reported(_ line: String, _ names: String) throws {
    let end = try Program.run(line)
    let notice = "telecap: \(names); the old name will be removed in the next release\n"
    #expect(end.errors.hasPrefix(notice), "\(end.errors)")
    #expect(end.errors.components(separatedBy: "is now called").count == 2, "\(end.errors)")
    #expect(end.status == (line.hasPrefix("info") ? 64 : 66), "\(end.errors)")
  }

  @Test(
    "An old and a new name together are one option that is given twice",
    arguments: [
      ("conform --budget 9s --time-limit 9s", "--time-limit is given twice"),
      ("replay a.pcap --role phone --as=phone", "--role is given twice"),
    ])
  func together(_ line: String, _ words: String) throws {
    let end = try Program.refuse(line)
    #expect(end.status == 64 && end.errors.hasPrefix("Error: \(words)"), "\(end.errors)")
  }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
}

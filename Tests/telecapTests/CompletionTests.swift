import Foundation
import TelecapTestSupport
import Testing

/// What shells complete, in the shells themselves, and the man pages, read by man's own formatter.
@Suite(.real("runs telecap")) struct CompletionTests {
  /// What bash offers behind these words, the last of which has begun; a folder holds `my.yaml` and an empty `Scenarios`.
  private func offered(_ words: [String]) throws -> Set<String> {
    let folder = try Folder()
    _ = try folder.write([], to: "my.yaml")
    // Files by which a shell would run something. U+0D4E and the sign after it are one Character, which is a letter.
    let commands = ["$(touch ran)", "\u{d4e}`touch x\u{d4e}`"] + HostileText.all.filter { !$0.contains("/") }
    for name in commands { _ = try folder.write([], to: "\(name).yaml") }
    let names = Set(folder.names + ["Scenarios"])
    try FileManager.default.createDirectory(atPath: folder["Scenarios/networks"], withIntermediateDirectories: true)
    // As bash splits them: at colons and equals signs too, which are words of their own.
    let pieces = words.flatMap { $0.replacing(":", with: "\n:\n").replacing("=", with: "\n=\n").split(separator: "\n") }
    let quoted = (words.last == "" ? pieces + [""] : pieces).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      cd "$folder"
      PATH="$(dirname "$telecap"):$PATH"
      source <(telecap --generate-completion-script bash)
      COMP_WORDS=(\(quoted)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE='\(words.joined(separator: " "))'; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
      _telecap_whole telecap "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let environment = ["telecap": Program.path, "folder": folder.path]
    let end = try Running("/bin/bash", ["-c", script], environment: environment).finish(seconds: 60)
    #expect(names == Set(folder.names))
    return Set(end.lines.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 })
  }

  @Test(
    "Bash completes",
    arguments: sampled(
      [
        (["telecap", "wir"], ["wireshark"]), (["telecap", "conform", "--only", "tele.hello.b"], ["tele.hello.busy"]),
        (["telecap", "replay", "--network", "wifi"], ["wifi-crowded"]),
        (["telecap", "dissect", "--protocol", "d"], ["dsu"]),
        (["telecap", "conform", "--protocol", "d"], ["dsu"]), (["telecap", "conform", "--protocol", "m"], ["my.yaml"]),
        (["telecap", "conform", "--skip", "tele.hello.b"], ["tele.hello.busy"]),
        (["telecap", "conform", "--sut", "model:ph"], ["phone"]),
        (["telecap", "conform", "--sut=model:ph"], ["phone"]),
        (["telecap", "replay", "--to", "model:h"], ["host"]),
        (["telecap", "replay", "--role", "mouse-"], ["mouse-host"]),
        (["telecap", "conform", "--sut", "m"], ["model:phone", "models", "my.yaml"]),
        (["telecap", "export", "--format", "ev"], ["evemu"]), (["telecap", "record", "--interface", "l"], ["lo"]),
        (["telecap", "record", "--int"], ["--interface"]),
      ] as [([String], Set<String>)], oneIn: 3))
  func bashCompletes(_ words: [String], _ expected: Set<String>) throws {
    let found = try offered(words)
    #expect(expected.isSubset(of: found), "\(found)")
    let last = words.last?.split { ":=".contains($0) }.last ?? ""
    #expect(found.allSatisfy { $0.hasPrefix(last) }, "\(found)")
  }

  /// The shell runs in a terminal and waits until it shows what is expected: what it does not show in time fails.
  @Test(
    "Others complete too", arguments: sampled(["bash", "zsh", "fish"], oneIn: 3),
    [
      ("telecap wir", "telecap wireshark"), ("telecap conform --only tele.hello.bu", "tele.hello.busy"),
      ("telecap replay --network wif", "wifi-crowded"), ("telecap conform --sut model:ph", "model:phone"),
      ("telecap conform --protocol ds", "dsu"),
    ])
  func othersCompleteToo(_ shell: String, _ typed: (words: String, shown: String)) throws {
    let folder = try Folder()
    let script = try Program.run(["--generate-completion-script", shell]).output
    _ = try folder.write(Array(script.utf8), to: shell == "zsh" ? "_telecap" : "telecap.\(shell)")
    try FileManager.default.createSymbolicLink(atPath: folder["telecap"], withDestinationPath: Program.path)
    let path = "\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    let typist =
      shell == "bash"
      ? ["python3", Project.file("Tests/Completions/type.py").path]
      : ["zsh", Project.file("Tests/Completions/type.zsh").path, shell]
    let words = typist + [folder.path, typed.words, typed.shown]
    let end = try Running("/usr/bin/env", words, environment: ["PATH": path]).finish(seconds: 60)
    #expect(end.status == 0, "\(end.output)\(end.errors)")
  }

  @Test("Every command has its page")
  func everyCommandHasItsPage() throws {
    let folder = try Folder()
    let script = Project.file("Scripts/manpages").path
    let made = try Running("/usr/bin/env", ["python3", script, Program.path, folder.path]).finish(seconds: 60)
    #expect(made.status == 0, "\(made.errors)")
    let commands = try CommandDump.program().subcommands.filter { $0.isShown && $0.name != "help" }
    #expect(commands.count > 15)
    for command in commands { #expect(folder.names.contains("telecap-\(command.name).1"), "\(command.name)") }
    // Every option of a command's help is on its page.
    let page = try String(contentsOfFile: folder["telecap-conform.1"], encoding: .utf8).replacing("\\-", with: "-")
    let conform = try #require(commands.first { $0.name == "conform" })
    for name in conform.options.filter(\.isShown).flatMap(\.names) where name.count > 1 {
      #expect(page.contains("--\(name)"), "\(name)")
    }
  }
}

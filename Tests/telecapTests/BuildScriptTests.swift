import Foundation
import TelecapTestSupport
import Testing

/// What `make` and the action of GitHub install, and what a job's inputs can do.
@Suite("Set-up and CI", .real("runs make and bash")) struct BuildScriptTests {
  private static let installing: Set = ["setup", "demo", "test", "check"]

  @Test("Only setup, demo, test and check may install: every other target asks only what is there")
  func targets() throws {
    let makefile = try String(contentsOf: Project.file("Makefile"), encoding: .utf8)
    let targets = makefile.matches(of: /(?m)^([a-z-]+):.*##/).map { String($0.1) }
    #expect(targets.count > 20)
    for target in targets {
      let end = try Running("/usr/bin/env", ["make", "-C", Project.file(".").path, "-n", target]).finish()
      let setups = end.lines.filter { $0.contains("Scripts/setup") }
      let isInstalling = setups.contains { !$0.contains("--check") }
      #expect(isInstalling == Self.installing.contains(target), "\(target): \(setups)")
      #expect(!end.output.contains("pip install") && !end.output.contains("apt-get"), "\(target)")
    }
  }

  #if os(Linux)
    /// Runs `Scripts/setup` where nothing but a shell is there, and says whether it called apt-get.
    private func setup(_ words: [String]) throws -> (end: Finished, called: [String]) {
      let folder = try Folder()
      let log = folder["called"]
      for (name, script) in [("apt-get", "echo \"$*\" >> '\(log)'"), ("sudo", "exec \"$@\"")] {
        let path = try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      }
      for tool in ["bash", "sh", "uname", "id"] {
        let found = try Running("/usr/bin/env", ["sh", "-c", "command -v \(tool)"]).finish().lines[0]
        try FileManager.default.createSymbolicLink(atPath: folder[tool], withDestinationPath: found)
      }
      let script = Project.file("Scripts/setup").path
      let end = try Running("/usr/bin/env", ["PATH=\(folder.path)", "bash", script] + words).finish()
      return (end, (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? [])
    }

    @Test("With --check what is missing is named with what installs it, and nothing is installed")
    func checks() throws {
      let (end, called) = try setup(["--check", "test", "bench"])
      #expect(end.status == 69 && called.isEmpty)
      #expect(end.errors.contains("libpcap-dev") && end.errors.contains("socat"))
      #expect(end.errors.hasSuffix("install what is needed with: make setup FOR='test bench'\n"), "\(end.errors)")
    }

    @Test("Without it that is installed, and for another purpose nothing")
    func installs() throws {
      let (end, called) = try setup([])
      #expect(end.status == 0 && called.count == 2 && called[1].contains("libyaml-dev"), "\(called) \(end.errors)")
      #expect(!called[1].contains("socat") && !called[1].contains("chromium"))
      #expect(try setup(["tests"]).end.status == 64)
    }
  #endif

  @Test("Whatever is installed is of one version: packages, Python's, actions")
  func pinned() throws {
    func text(_ path: String) throws -> String { try String(contentsOf: Project.file(path), encoding: .utf8) }
    let package = try text("Package.swift")
    #expect(
      package.matches(of: /\.package\(url/).count == package.matches(of: /\.package\(url: "[^"]+", exact: "/).count)
    for name in ["python.txt", "web.txt", "numpy.txt", "packages.txt"] {
      let lines = try text("Scripts/requirements/\(name)").split(separator: "\n").filter { !$0.hasPrefix("#") }
      #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(/^[a-z0-9.-]+==[0-9.]+$/) }, "\(name): \(lines)")
    }
    for path in ["action.yml", "Documentation/how-to/ci-github-gitlab.md", "README.md"] {
      let used = try text(path).matches(of: /uses: (\S+)/).map { String($0.1) }
      #expect(
        !used.isEmpty && used.allSatisfy { $0 == "./telecap" || $0.contains(/@[0-9a-f]{40}$/) }, "\(path): \(used)")
    }
  }

  /// The script of the action's step that judges, as the runner starts it.
  private func judge(_ reports: String) throws -> (end: Finished, outputs: [String]) {
    let action = try String(contentsOf: Project.file("action.yml"), encoding: .utf8)
    let start = try #require(action.firstRange(of: "REPORTS: ${{ inputs.reports }}\n      run: |\n")?.upperBound)
    let script = action[start...].split(separator: "\n", omittingEmptySubsequences: false).prefix {
      $0.hasPrefix("        ")
    }
    .map { $0.dropFirst(8) }.joined(separator: "\n")
    let folder = try Folder()
    let path = try folder.write(Array(script.utf8), to: "judge")
    let variables = [
      "TELECAP": "true", "SUT": "model:phone", "ONLY": "", "SEEDS": "", "STRICT": "false", "REPORTS": reports,
      "GITHUB_OUTPUT": folder["outputs"], "GITHUB_STEP_SUMMARY": folder["summary"],
    ]
    let end = try Running("/bin/sh", ["-c", "cd '\(folder.path)' && exec bash -e '\(path)'"], environment: variables)
      .finish()
    let outputs = (try? String(contentsOfFile: folder["outputs"], encoding: .utf8)) ?? ""
    return (end, outputs.split(separator: "\n").map(String.init))
  }

  @Test("The action refuses a directory with a line break: it would be an output of its own")
  func outputs() throws {
    let refused = try judge("reports\njunit=/etc/passwd")
    #expect(refused.end.status == 64 && refused.outputs.isEmpty, "\(refused)")
    #expect(
      refused.end.output
        == "::error title=telecap conform::reports contains a control character; name a directory on one line\n")
    #expect(try judge("my reports").outputs == ["junit=my reports/junit.xml", "html=my reports/report.html"])
    #expect(try judge("-p").outputs == ["junit=./-p/junit.xml", "html=./-p/report.html"])
  }
}

import Foundation
import TelecapTestSupport
import Testing

/// What breaks off leaves nothing half behind, whatever ends it.
@Suite(.real("runs telecap")) struct BrokenOffTests {
  private let capture = Project.file("Captures/teleoperation.pcapng").path

  /// Runs a command that waits for more of its input, ends it by a signal once something of it can be seen, and says what is left.
  private func left(by signal: String, _ command: String, in folder: Folder) throws -> (status: String, names: [String])
  {
    let script = """
      cd '\(folder.path)' && mkdir tmp && export TMPDIR="$PWD/tmp"
      mkfifo input; (head -c 3000 '\(capture)'; exec sleep 30) > input & feeder=$!
      $telecap \(command) < input > out.txt &
      n=0
      while [ -z "$(ls *.new tmp/*/* 2>/dev/null)" ] && [ $n -lt 300 ]; do sleep 0.05; n=$((n+1)); done
      ls *.new tmp/*/* > seen.txt 2>/dev/null
      kill -\(signal) $!; wait $!; echo $?
      kill $feeder
      ls tmp
      """
    let end = try Program.shell(script)
    #expect(try [UInt8](file: folder["seen.txt"]).count > 0, "\(end.errors)")
    return (
      end.lines.first ?? "",
      folder.names.filter { !["input", "seen.txt", "out.txt", "tmp"].contains($0) } + end.lines.dropFirst()
    )
  }

  @Test(
    "A signal takes what is not whole away, and the temporary capture", arguments: ["TERM", "HUP"],
    ["import - -o a.telecap", "export - --format csv -o a.csv"])
  func signals(_ signal: String, _ command: String) throws {
    let folder = try Folder()
    let (status, names) = try left(by: signal, command, in: folder)
    #expect(status == (signal == "TERM" ? "143" : "129") && names == [])
  }

  @Test("The temporary capture of a command that was killed with -9 goes with the next command that makes one")
  func abandoned() throws {
    let folder = try Folder()
    let (status, names) = try left(by: "KILL", "export - --format csv -o a.csv", in: folder)
    #expect(status == "137" && names.contains { $0.hasPrefix("telecap-work-") })
    let end = try Program.shell(
      "cd '\(folder.path)' && TMPDIR=tmp $telecap export '\(capture)' --format csv -o b.csv; echo $?; ls tmp")
    #expect(end.lines == ["0"])
  }

  @Test(
    "What somebody left who was killed with -9 is taken away by the next run onto the same output; what another still writes is not",
    arguments: ["import \(input) -o a.out --force", "report \(input) -o a.out --force"])
  func killed(_ command: String) throws {
    let folder = try Folder()
    let waiting = command.replacing(Self.input, with: "-")
    let end = try Program.shell(
      """
      cd '\(folder.path)' && touch a.out.backup.new a.out.1.new && mkfifo one two
      begin() {
        (head -c 3000 '\(capture)'; exec sleep 60) > $1 & feeders="$feeders $!"
        $telecap \(waiting) < $1 2> $1.txt & last=$!
        n=0
        while [ $(ls a.out.*.new-lock 2>/dev/null | wc -l) -lt $2 ] && [ $n -lt 600 ]; do sleep 0.05; n=$((n+1)); done
      }
      begin one 1; killed=$last
      begin two 2; living=$last
      kill -9 $killed; wait $killed
      ls a.out.*.new-lock | wc -l
      $telecap \(command.replacing(Self.input, with: "'\(capture)'")); echo $?
      ls a.out.*.new-lock | wc -l
      kill -TERM $living; wait $living
      ls
      kill $feeders
      """)
    #expect(
      end.lines.filter { !$0.hasSuffix(".txt") } == [
        "2", "0", "1", "a.out", "a.out.1.new", "a.out.backup.new", "one", "two",
      ],
      "\(end)")
  }

  private static let input = "INPUT"
}

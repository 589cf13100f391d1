import Foundation
import TelecapTestSupport
import Testing

/// What others do to a capture that is being recorded.
@Suite("A capture that is being recorded", .serialized, .real("runs telecap"))
struct RecordForceTests {
  private let folder: Folder
  private let host: Socket
  private let phone: Socket
  private let port: UInt16
  private var capture: String { folder["living.telecap"] }
  private let other = Project.file("Captures/teleoperation.pcapng").path

  init() throws {
    (folder, host, phone, port) = (try Folder(), try Socket.udp(), try Socket.udp(), try freePort())
  }

  private func record(_ more: String...) -> [String] {
    ["record", "-o", capture, "--relay", "udp:\(port)=127.0.0.1:\(host.port)", "--tele-udp", "\(host.port)"] + more
  }

  /// A recording into which so many poses have come.
  private func started(_ poses: UInt16) throws -> Running {
    let program = try Program.start(record())
    try program.wait(for: "recording relay")
    try send(poses)
    return program
  }

  private func send(_ poses: UInt16) throws {
    for seq in 1...poses {
      try phone.send(Bytes.pose(seq), to: port)
      _ = try host.receive()
    }
  }

  @Test("Is not replaced, whatever --force says, and goes on")
  func isNotReplacedWhateverForceSaysAndGoesOn() throws {
    let program = try started(3)
    let port = try freePort()
    let link = folder["living.telecap.pcapng"]
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: capture)
    for command in [
      ["import", other, "-o", capture, "--force"],
      ["record", "-o", capture, "--force", "--relay", "udp:\(port)=127.0.0.1:9"],
      ["export", other, "--format", "pcapng", "-o", capture, "--force"],
      ["export", other, "--format", "csv", "-o", capture, "--force"],
      ["plan", other, "--loss", "5%", "-o", capture, "--force"], ["report", other, "-o", capture, "--force"],
      ["conform", "--only", "tele.bye.closes", "--json", capture],
      ["replay", other, "--speed", "max", "--to", "127.0.0.1:\(host.port)", "--record", link, "--force"],
    ] {
      let refused = try Program.run(command)
      #expect(refused.status == 69)
      #expect(
        refused.errors.hasSuffix(
          "telecap: \(capture): another program is recording into it or reading it; wait until it is done\n"),
        "\(refused.errors)")
    }
    #expect(folder.names.allSatisfy { $0.hasPrefix("living.telecap") && !$0.hasSuffix(".new") })
    try FileManager.default.removeItem(atPath: link)
    try send(2)
    program.signal(SIGINT)
    let end = try program.finish()
    #expect(end.status == 0 && end.output.hasPrefix("\(capture): 5 packets, "), "\(end.errors)")
    #expect(try sql(capture, "SELECT COUNT(*) FROM message") == [["5"]])
    #expect(try Program.run(["import", other, "-o", capture, "--force"]).status == 0)
    #expect(try sql(capture, "SELECT COUNT(*) FROM packet") == [["129"]])
    #expect(folder.names == ["living.telecap"])
  }

  /// Who may write the folder, and not the file, cannot ask SQLite whether somebody records into it.
  @Test(
    "Is not replaced by somebody who may not write it either",
    .enabled(if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/usr/bin/setpriv")))
  func isNotReplacedBySomebodyWhoMayNotWriteItEither() throws {
    let program = try started(3)
    #expect(chmod(folder.path, 0o777) == 0)
    try FileManager.default.copyItem(atPath: other, toPath: folder["other.pcapng"])
    try FileManager.default.linkOrCopy(Program.path, to: folder["telecap"])
    let refused = try Program.shell(
      "cd '\(folder.path)' && setpriv --reuid=65534 --regid=65534 --clear-groups ./telecap import other.pcapng "
        + "-o living.telecap --force")
    #expect(refused.status == 73)
    #expect(
      refused.errors
        == "telecap: living.telecap: cannot be created: it is not writable, so telecap cannot check whether it is "
        + "being recorded; give another name\n")
    try send(1)
    program.signal(SIGINT)
    #expect(try program.finish().output.hasPrefix("\(capture): 4 packets, "))
  }

  @Test("That was taken away is missed at the next commit", arguments: ["rm", "mv elsewhere", "replace"])
  func thatWasTakenAwayIsMissedAtTheNextCommit(_ how: String) throws {
    let program = try started(3)
    // What has come is committed within 250 ms.
    let deadline = ContinuousClock.now + .seconds(20)
    while try sql(capture, "SELECT COUNT(*) FROM packet") != [["3"]], .now < deadline { usleep(20_000) }
    if how == "mv elsewhere" {
      try FileManager.default.moveItem(atPath: capture, toPath: folder["elsewhere"])
    } else {
      try FileManager.default.removeItem(atPath: capture)
    }
    if how == "replace" { try Data("somebody's".utf8).write(to: URL(filePath: capture)) }
    try send(1)
    let end = try program.finish()
    #expect(end.status == 74)
    #expect(
      end.errors.hasSuffix(
        "telecap: \(capture): the file was deleted, moved or replaced after 3 packets; no more packets are written. If it was "
          + "moved, \(capture)-wal contains the last packets: move it next to the file, under the file's name and -wal\n"
      ),
      "\(end.errors)")
    if how == "mv elsewhere" {
      try Data(contentsOf: URL(filePath: capture + "-wal")).write(to: URL(filePath: folder["elsewhere-wal"]))
      #expect(try sql(folder["elsewhere"], "SELECT COUNT(*) FROM packet") == [["3"]])
    }
    if how == "replace" { #expect(try [UInt8](file: capture) == Array("somebody's".utf8)) }
    // The log that is still there is no part of what is made there next.
    #expect(try Program.run(["import", other, "-o", capture, "--force"]).status == 0)
    #expect(try sql(capture, "SELECT COUNT(*) FROM packet") == [["129"]])
    #expect(try Program.run(["info", capture]).status == 0)
  }

  @Test("That was killed and moved away leaves a log that is not deleted unasked")
  func thatWasKilledAndMovedAwayLeavesALogThatIsNotDeletedUnasked() throws {
    let program = try started(3)
    let deadline = ContinuousClock.now + .seconds(20)
    while try sql(capture, "SELECT COUNT(*) FROM packet") != [["3"]], .now < deadline { usleep(20_000) }
    program.signal(SIGKILL)
    _ = try program.finish()
    try FileManager.default.moveItem(atPath: capture, toPath: folder["elsewhere"])
    let log = try [UInt8](file: capture + "-wal")
    try #require(!log.isEmpty)
    for words in [["import", other, "-o", capture], ["record", "--duration", "100ms", "-o", capture]] {
      let end = try Program.run(words + (words[0] == "record" ? ["--relay", "udp:\(try freePort())=127.0.0.1:9"] : []))
      #expect(end.status == 73)
      #expect(
        end.errors.contains(
          "\(capture)-wal: exists already, and contains the last packets of a capture that was deleted or moved: move that"
        ),
        "\(end.errors)")
    }
    #expect(try [UInt8](file: capture + "-wal") == log && !FileManager.default.fileExists(atPath: capture))
    try FileManager.default.moveItem(atPath: folder["elsewhere"], toPath: capture)
    #expect(try sql(capture, "SELECT COUNT(*) FROM packet") == [["3"]])
  }

  /// The relay has stopped when the last commit fails: it is not stopped again.
  @Test("That was taken away is missed at the end as well")
  func thatWasTakenAwayIsMissedAtTheEndAsWell() throws {
    let program = try started(3)
    let deadline = ContinuousClock.now + .seconds(20)
    while try sql(capture, "SELECT COUNT(*) FROM packet") != [["3"]], .now < deadline { usleep(20_000) }
    try FileManager.default.removeItem(atPath: capture)
    try send(1)
    program.signal(SIGINT)
    let end = try program.finish()
    #expect(end.status == 74)
    let talk = end.errors.split(separator: "\n").filter { !$0.hasPrefix("relaying ") && !$0.hasPrefix("recording ") }
    #expect(
      talk == [
        "telecap: \(capture): the file was deleted, moved or replaced after 3 packets; no more packets are written. If it was "
          + "moved, \(capture)-wal contains the last packets: move it next to the file, under the file's name and -wal"
      ])
  }

  @Test("Is made in place of a link's target, and never in that of a device")
  func isMadeInPlaceOfALinksTargetAndNeverInThatOfADevice() throws {
    _ = try folder.write([1], to: "target")
    try FileManager.default.createSymbolicLink(atPath: capture, withDestinationPath: "target")
    #expect(try Program.run(["import", other, "-o", capture, "--force"]).status == 0)
    #expect(try sql(folder["target"], "SELECT COUNT(*) FROM packet") == [["129"]])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: capture) == "target")
    #expect(mkfifo(folder["pipe"], 0o600) == 0)
    let refused = try Program.run(["import", other, "-o", folder["pipe"], "--force"])
    #expect(refused.status == 73)
    #expect(
      refused.errors
        == "telecap: \(folder["pipe"]): cannot be created: it is not a regular file, and a capture is a database\n")
    try FileManager.default.createSymbolicLink(atPath: folder["dangling"], withDestinationPath: "nothing")
    // A link to what is not there stays, and leads to the capture.
    #expect(try Program.run(["import", other, "-o", folder["dangling"], "--force"]).status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder["dangling"]) == "nothing")
    #expect(folder.names == ["dangling", "living.telecap", "nothing", "pipe", "target"])
  }

  @Test("Of two that begin the same one makes it, and the other says so")
  func ofTwoThatBeginTheSameOneMakesItAndTheOtherSaysSo() throws {
    for _ in 0..<6 {
      let both = try (0..<2).map { _ in try Program.start(["import", other, "-o", capture]) }
      let ends = try both.map { try $0.finish() }
      #expect(ends.map(\.status).sorted() == [0, 73], "\(ends.map(\.errors))")
      #expect(ends.first { $0.status == 73 }?.errors == "telecap: \(capture): exists already; --force replaces it\n")
      #expect(try sql(capture, "SELECT COUNT(*) FROM message") == [["129"]])
      #expect(folder.names == ["living.telecap"])
      try FileManager.default.removeItem(atPath: capture)
    }
  }
}

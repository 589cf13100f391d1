import Foundation
import TelecapTestSupport
import Testing

#if os(Linux)
  /// Every write, sync and allocation of SQLite's fails once: what is left tells the truth, or nothing is left and the
  /// status says so.
  @Suite(
    "SQLite whose calls fail", .serialized, .real("runs telecap"),
    .enabled(if: Faults.library != nil, "needs cc and SQLite as a shared library"))
  struct FaultTests {
    /// Ends that are a word to the user, and no trap.
    private static let ends: Set<Int32> = [0, 69, 73, 74]

    private let folder: Folder
    private var capture: String { folder["out.telecap"] }

    init() throws { folder = try Folder() }

    @Test("Where files cannot be locked temporary captures are made and removed, and those of others stay")
    func withoutLocks() throws {
      let other = folder["telecap-work-abc123"]
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
      try [UInt8]("x".utf8).write(to: "\(other)/work.telecap")
      let environment = ["LD_PRELOAD": Faults.library ?? "", "TELECAP_FAULT": "locks", "TMPDIR": folder.path]
      let end = try Program.run(
        ["info", Project.file("Captures/force-ramp.pcapng").path], environment: environment)
      #expect(end.status == 0 && folder.names == ["telecap-work-abc123"], "\(end) \(folder.names)")
      #expect(FileManager.default.fileExists(atPath: "\(other)/work.telecap"))
    }

    @Test("An import is whole, or it leaves nothing and says so", arguments: Faults.Kind.allCases)
    func anImportIsWholeOrItLeavesNothingAndSaysSo(_ kind: Faults.Kind) throws {
      var traffic = Traffic()
      for number in 0..<400 { try traffic.add(Bytes.pose(UInt16(number)), at: number) }
      let input = try folder.write(traffic.pcap(), to: "in.pcap")
      func run(_ environment: [String: String]) throws -> Finished {
        try Program.run(["import", input, "-o", capture, "--force"], environment: environment)
      }

      #expect(try run(Faults.environment(kind, at: 0, counts: folder["counts"])).status == 0)
      let total = try Faults.count(kind, in: folder["counts"])
      // Nothing is synced: an import that breaks off leaves no file to be saved.
      try #require(total > 0 || kind == .sync, "SQLite is not reached")
      var failures = 0
      for place in Faults.places(kind, of: total) {
        for name in folder.names where name.hasPrefix("out.telecap") {
          try FileManager.default.removeItem(atPath: folder[name])
        }
        let end = try run(Faults.environment(kind, at: place))
        #expect(FaultTests.ends.contains(end.status), "\(kind) \(place) of \(total): \(end.status) \(end.errors)")
        if end.status == 0 {
          #expect(try sql(capture, "SELECT COUNT(*) FROM tele_pose") == [["400"]], "\(kind) \(place)")
          #expect(try sql(capture, "PRAGMA integrity_check") == [["ok"]], "\(kind) \(place)")
        } else {
          failures += 1
          #expect(!end.errors.isEmpty, "\(kind) \(place) of \(total)")
          #expect(folder.names == ["counts", "in.pcap"], "\(kind) \(place) of \(total): \(end.errors)")
        }
      }
      #expect(failures > 0 || total == 0, "none of \(total) faults was felt")
    }

    @Test("A recording keeps what it says it keeps", arguments: sampled(Array(Faults.Kind.allCases), oneIn: 2))
    func aRecordingKeepsWhatItSaysItKeeps(_ kind: Faults.Kind) throws {
      let whole = try record(Faults.environment(kind, at: 0, counts: folder["counts"]))
      #expect(whole.end.status == 0, "\(whole.end.errors)")
      let total = try Faults.count(kind, in: folder["counts"])
      try #require(total > 0, "SQLite is not reached")
      var failures = 0
      for place in Faults.places(kind, of: total) {
        let (end, sent) = try record(Faults.environment(kind, at: place))
        let what: Comment = "\(kind) \(place) of \(total): \(end.status) \(end.errors)"
        #expect(FaultTests.ends.contains(end.status), what)
        #expect(end.status == 0 || !end.errors.isEmpty, what)
        if end.status != 0 { failures += 1 }
        guard FileManager.default.fileExists(atPath: capture) else {
          #expect(end.status != 0, what)
          continue
        }
        #expect(try sql(capture, "PRAGMA integrity_check") == [["ok"]], what)
        let frames = try sql(capture, "SELECT lower(hex(substr(frame, 29))) FROM packet ORDER BY id")
        #expect(frames.map { hex($0[0]) } == frames.indices.map { Bytes.pose(UInt16($0)) }, what)
        if end.status == 0 { #expect(frames.count == sent, what) }
        if let kept = end.errors.firstMatch(of: /the first (\d+) packets/) {
          #expect(Int(kept.1) == frames.count, what)
        }
        let dissected = try Program.run(["dissect", capture, "--summary", "--format", "json"])
        #expect(dissected.status == 0, "\(kind) \(place): \(dissected.errors)")
      }
      #expect(failures > 0, "none of \(total) faults was felt")
    }

    /// Records poses in several commits, until it ends by itself or by Ctrl-C.
    ///
    /// - Returns: how it ended, and how many poses it passed on.
    private func record(_ environment: [String: String]) throws -> (end: Finished, passedOn: Int) {
      for name in folder.names where name.hasPrefix("out.telecap") {
        try FileManager.default.removeItem(atPath: folder[name])
      }
      let (host, phone, port) = (try Socket.udp(), try Socket.udp(), try freePort())
      let program = try Running(
        Program.path,
        ["record", "--relay", "udp:\(port)=127.0.0.1:\(host.port)", "--tele-udp", "\(port)", "-o", capture],
        environment: environment)
      do { try program.wait(for: "recording ") } catch { return (try program.finish(), 0) }
      var passedOn = 0
      for number in 0..<90 {
        try phone.send(Bytes.pose(UInt16(number)), to: port)
        guard arrives(at: host) else { break }
        passedOn += 1
        // Behind the next commit, which is due after 125 ms.
        if number % 30 == 29 { usleep(140_000) }
      }
      program.signal(SIGINT)
      return (try program.finish(), passedOn)
    }

    /// False: nothing came within a second, since the relay has ended.
    private func arrives(at host: Socket) -> Bool {
      for _ in 0..<1_000 {
        if !host.received().isEmpty { return true }
        usleep(1_000)
      }
      return false
    }
  }
#endif

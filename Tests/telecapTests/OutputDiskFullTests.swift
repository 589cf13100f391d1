#if os(Linux)
  import Foundation
  import TelecapTestSupport
  import Testing

  @Suite("Outputs on a disk that fills up", .enabled(if: canMount, "mounting needs a namespace"), .real("runs telecap"))
  struct OutputDiskFullTests {
    private let capture = Project.file("Captures/teleoperation.pcapng").path

    /// Runs lines of the shell in a folder of so many bytes of disk.
    private func run(_ size: String, _ script: String) throws -> Finished {
      let folder = try Folder()
      let whole = """
        mkdir '\(folder.path)/small' && mount -t tmpfs -o size=\(size) tmpfs '\(folder.path)/small' || exit 99
        cd '\(folder.path)/small'; \(script)
        """
      return try Running(
        "/usr/bin/env", namespace + ["/bin/sh", "-c", whole], environment: ["telecap": Program.path]
      ).finish()
    }

    @Test("What was sent until the disk of --record was full opens, and the end of it is told")
    func replay() throws {
      let end = try run(
        "8k",
        """
        "$telecap" replay '\(capture)' --to 127.0.0.1:9 --record r.pcapng; echo "status $?"
        "$telecap" dissect --summary r.pcapng | head -1; ls
        """)
      let sentence = #/r.pcapng: No space left on device; the first (\d+) packets are in the file/#
      let told = end.errors.firstMatch(of: sentence)
      let packets = try #require(told?.output.1, "\(end)")
      #expect(end.output.contains("status 74\n\(packets) packets in "), "\(end)")
      #expect(end.output.hasSuffix("\nr.pcapng\n"), "\(end)")
    }

    @Test(
      "An export names the file that was asked for, not the one that it works on, and leaves neither",
      arguments: ["pcapng", "pcap", "csv"])
    func export(_ format: String) throws {
      let end = try run(
        "8k", "\"$telecap\" export '\(capture)' -o out.\(format); echo \"status $?\"; ls -A")
      #expect(end.output == "status 74\n", "\(end)")
      #expect(end.errors.contains("out.\(format)") && !end.errors.contains(".new"), "\(end)")
    }
  }
#endif

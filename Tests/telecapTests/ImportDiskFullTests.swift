#if os(Linux)
  import Foundation
  import TelecapTestSupport
  import Testing

  @Suite("import on a disk that fills up", .enabled(if: canMount, "mounting needs a namespace"), .real("runs telecap"))
  struct ImportDiskFullTests {
    @Test("Leaves nothing, or what was there, and says so", arguments: [false, true])
    func leavesNothingOrWhatWasThereAndSaysSo(isThere: Bool) throws {
      let folder = try Folder()
      var traffic = Traffic()
      for number in 0..<2_000 {
        try traffic.add(Bytes.pose(UInt16(number)) + [UInt8](repeating: 0, count: 1_000), at: number)
      }
      let input = try folder.write(traffic.pcap(), to: "in.pcap")
      let small = "\(folder.path)/small"
      let script = """
        mkdir '\(small)' && mount -t tmpfs -o size=1m tmpfs '\(small)' || exit 99
        \(isThere ? "echo before > '\(small)/a.telecap'" : "true")
        "$telecap" import '\(input)' -o '\(small)/a.telecap' --force
        echo "status $?"
        ls '\(small)'
        cat '\(small)'/*
        """
      let end = try Running(
        "/usr/bin/env", namespace + ["/bin/sh", "-c", script], environment: ["telecap": Program.path]
      ).finish()
      #expect(
        end.errors.hasPrefix(
          "telecap: \(small)/a.telecap: the disk is full, and the incomplete file was removed: make room and run it again\n"
        ),
        "\(end.errors)")
      #expect(end.lines == (isThere ? ["status 74", "a.telecap", "before"] : ["status 74"]))
    }
  }
#endif

import TelecapTestSupport

#if os(Linux)
  import Foundation
  import Testing

  /// A small file system of our own, in a mount namespace that nobody else sees; without root also a user namespace.
  let namespace = ["unshare", isRoot ? "-m" : "-rm"]

  /// Whether this machine lets us have one.
  let canMount: Bool = {
    let command = namespace + ["mount", "-t", "tmpfs", "tmpfs", "/tmp"]
    return (try? Running("/usr/bin/env", command).finish())?.status == 0
  }()

  @Suite("record on a disk that fills up", .enabled(if: canMount, "mounting needs a namespace"), .real("runs telecap"))
  struct RecordDiskFullTests {
    @Test("Ends with what was committed")
    func endsWithWhatWasCommitted() throws {
      let folder = try Folder()
      let host = try Socket.udp()
      let phone = try Socket.udp()
      let port = try freePort()
      let capture = folder["full.telecap"]
      // The shell goes on to look at what is left, since the file system goes with its namespace.
      let script = """
        mount -t tmpfs -o size=2m tmpfs '\(folder.path)' || exit 99
        "$telecap" record -o '\(capture)' --relay udp:\(port)=127.0.0.1:\(host.port) --tele-udp \(port)
        status=$?
        "$telecap" dissect '\(capture)' --summary --format json --tele-udp \(port)
        echo "dissect $?" >&2
        exit $status
        """
      let program = try Running(
        "/usr/bin/env", namespace + ["/bin/sh", "-c", script], environment: ["telecap": Program.path])
      try program.wait(for: "recording relay")
      let large = Bytes.pose(1) + [UInt8](repeating: 0, count: 1_000)
      for _ in 0..<20_000 where !program.errors.contains("disk is full") {
        try phone.send(large, to: port)
        usleep(500)
      }
      let end = try program.finish()
      #expect(end.status == 74, "\(end.errors)")
      let words = try #require(end.errors.split(separator: "\n").first { $0.contains("the disk is full") })
      let kept = try #require(words.split(separator: " ").compactMap { Int($0) }.first, "\(words)")
      #expect(
        words == "telecap: \(capture): the disk is full; the first \(kept) packets are in the file and can be read")
      #expect(kept > 0)
      #expect(end.errors.contains("dissect 0"), "\(end.errors)")
      #expect(try end.json().first?["packets"] as? Int == kept)
      #expect(try end.json().first?["messages"] as? Int == kept)
    }
  }
#endif

#if os(Linux)
  import Foundation
  import TelecapTestSupport
  import Testing

  @Suite("A PID namespace with the /proc of another one", .real("runs telecap and a program"))
  struct ForeignProcTests {
    private static let namespace = ["unshare", isRoot ? "-pf" : "-rpf"]
    private static let canUnshare = (try? Running("/usr/bin/env", namespace + ["true"]).finish())?.status == 0

    @Test("A program is tested there as elsewhere, and no other process is killed", .enabled(if: canUnshare))
    func conforms() throws {
      // telecap is process 2 there. Outside, kernel threads are the children of process 2, so that it took their ids for its children.
      let script = """
        "$telecap" conform --sut "$system" --check
        status=$?
        exit $status
        """
      let end = try Running(
        "/usr/bin/env", Self.namespace + ["/bin/sh", "-c", script],
        environment: ["telecap": Program.path, "system": "Scenarios/systems/naive-host.yaml"]
      ).finish()
      #expect(end.status == 0, "\(end)")
      #expect(end.output.contains("pose (line 11): matched"), "\(end)")
    }
  }
#endif

import Foundation
import TelecapTestSupport
import Testing

extension WallClockSuites {
  /// Right programs in awkward places (`RightProgram.all`): no verdict on one of them may be a failure.
  @Suite("Right programs in awkward places") struct RightProgramTests {
    @Test("Some thirty of them, each with a reason")
    func count() {
      #expect(RightProgram.all.count >= 32 && Set(RightProgram.all.map(\.name)).count == RightProgram.all.count)
      #expect(RightProgram.all.allSatisfy { !$0.why.isEmpty && !$0.only.isEmpty })
    }

    @Test(
      "None fails", .real("starts programs"),
      arguments: RightProgram.all.filter {
        ["screen of one pixel", "phone that exits after its first session"].contains($0.name)
      })
    func some(_ program: RightProgram) throws { try program.expectNoFailure(budget: "6s", mustPass: false) }

    @Test("None fails, alone", .deep("some forty programs, 20 s each"), arguments: RightProgram.all)
    func alone(_ program: RightProgram) throws { try program.expectNoFailure(budget: "20s") }
  }
}

extension BusyClockSuites {
  /// The same beside a busy process on each core: a machine that is too slow makes a verdict inconclusive.
  @Suite("Right programs in awkward places, beside a busy process on each core") struct BusyRightProgramTests {
    /// Each deep part has its eighth of them, since each takes half a minute.
    @Test("None fails", .enabled(if: Tier.isDeep), arguments: sampled(RightProgram.all, oneIn: 8))
    func busy(_ program: RightProgram) throws {
      let loads = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
        try Running("/bin/sh", ["-c", "while :; do :; done"])
      }
      defer { for load in loads { load.signal(SIGKILL) } }
      try program.expectNoFailure(budget: "10s", mustPass: false)
    }
  }
}

extension RightProgram {
  /// Runs `conform` on it, and expects no failure.
  fileprivate func expectNoFailure(budget: String, mustPass: Bool = true) throws {
    let run = try conform(budget: budget)
    let lines = try run.json().filter { $0["verdict"] is String }
    let failed = RightProgram.failures(in: lines)
    #expect(failed.isEmpty, "\(name), which is right: \(why)\n\(failed)")
    #expect(!lines.isEmpty, "\(run)")
    if mustPass { #expect(lines.contains { $0["verdict"] as? String == "pass" }, "\(run)") }
  }
}

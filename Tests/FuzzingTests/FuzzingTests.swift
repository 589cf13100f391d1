import Foundation
import FuzzTargets
import TelecapTestSupport
import Testing

/// The entry points of the fuzzers over what they begin with, and over all that they ever found.
@Suite struct FuzzingTests {
  @Test("A target takes seeds of its own, and keeps its promises with all of them", arguments: FuzzTarget.all)
  func aTargetTakesSeedsOfItsOwnAndKeepsItsPromisesWithAllOfThem(_ target: FuzzTarget) async throws {
    let seeds = try target.seeds()
    var taken = 0
    for seed in seeds where try await target.run(seed) { taken += 1 }
    #expect(taken > 0, "none of \(seeds.count) seeds is understood: a fuzzer would begin with nothing")
  }

  @Test("What a fuzzer found once is not found again", arguments: FuzzTarget.all)
  func whatAFuzzerFoundOnceIsNotFoundAgain(_ target: FuzzTarget) async throws {
    for file in try FuzzingTests.regressions(of: target) {
      do {
        _ = try await target.run(Array(try Data(contentsOf: file)))
      } catch {
        Issue.record("\(file.lastPathComponent): \(error)")
      }
    }
  }

  @Test("Each folder of regressions is a target's, and no file is large")
  func eachFolderOfRegressionsIsATargetsAndNoFileIsLarge() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: FuzzingTests.folder.path)
      .filter { !$0.hasSuffix(".md") }
    #expect(Set(folders).subtracting(FuzzTarget.all.map(\.name)) == [])
    for file in try FuzzTarget.all.flatMap(FuzzingTests.regressions) {
      let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? .max
      #expect(size <= 4_096, "\(file.path) has \(size) bytes: shrink it (-minimize_crash=1)")
    }
  }

  @Test("Names of targets are each one's own, and fit into a file's name")
  func namesOfTargetsAreEachOnesOwnAndFitIntoAFilesName() {
    let names = FuzzTarget.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.allSatisfy { $0 == "-" || ("a"..."z").contains($0) } })
  }

  private static let folder = Project.file("Tests/Fuzzing/Regressions")

  private static func regressions(of target: FuzzTarget) throws -> [URL] {
    let own = folder.appending(path: target.name)
    guard FileManager.default.fileExists(atPath: own.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(at: own, includingPropertiesForKeys: [.fileSizeKey])
      .sorted { $0.path < $1.path }
  }
}

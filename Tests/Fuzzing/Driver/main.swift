// telecap-fuzz TARGET [OPTION OF LIBFUZZER]… [FOLDER OR FILE]…: gives a target inputs until time is up or one breaks it;
// a file alone is tried once.
// telecap-fuzz --seeds FOLDER: writes what the targets begin with into FOLDER, a folder each, and prints their names.
import Foundation
import FuzzTargets

/// libFuzzer's loop (https://llvm.org/docs/LibFuzzer.html, Using libFuzzer as a library); a C function.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private func stop(_ words: String) -> Never {
  FileHandle.standardError.write(Data("telecap-fuzz: \(words)\n".utf8))
  exit(64)
}

private func writeSeeds(into folder: String) throws {
  for target in FuzzTarget.all {
    let own = URL(filePath: folder).appending(path: target.name)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    for (index, seed) in try target.seeds().enumerated() {
      try Data(seed).write(to: own.appending(path: "seed-\(index)"))
    }
    print(target.name)
  }
}

private let given = CommandLine.arguments.dropFirst()
if given.first == "--seeds", let folder = given.dropFirst().first {
  do { try writeSeeds(into: folder) } catch { stop("\(error)") }
  exit(0)
}
// Read by a function that C calls, which can hold nothing.
nonisolated(unsafe) private var chosen = FuzzTarget.all[0]
guard let target = FuzzTarget.all.first(where: { $0.name == given.first }) else {
  stop("name a target: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
}
chosen = target

// libFuzzer starts this program again to shrink an input, through a shell and by the first word: that holds the target too.
private let words = ["\(CommandLine.arguments[0]) \(target.name)"] + given.dropFirst()
private var count = CInt(words.count)
private let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
for (index, word) in words.enumerated() { list[index] = strdup(word) }
list[words.count] = nil
private var arguments = list
exit(
  runDriver(&count, &arguments) { data, count in
    do {
      _ = try chosen.runWaiting(Array(UnsafeBufferPointer(start: data, count: count)))
    } catch {
      fatalError("\(chosen): \(error)")
    }
    return 0
  })

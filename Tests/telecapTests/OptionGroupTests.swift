import Foundation
import TelecapTestSupport
import Testing

/// Groups of options as the sources declare them.
@Suite("Groups of options") struct OptionGroupTests {
  /// The declarations of types, each up to the brace that ends it.
  private static func declarations(in text: String) -> [Substring] { text.split(separator: "\n}\n") }

  private static func nested(in text: String) -> [String] {
    declarations(in: text).filter { $0.contains(": ParsableArguments {") && $0.contains("@OptionGroup") }
      .map { String($0.suffix(120)) }
  }

  /// swift-argument-parser validates each group five times for each group around it, in every start of a debug build.
  @Test("No group of options contains another one")
  func flat() throws {
    let folder = Project.file("Sources/telecap")
    var count = 0
    for case let path as String in try #require(FileManager.default.enumerator(atPath: folder.path))
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      count += text.ranges(of: ": ParsableArguments {").count
      #expect(Self.nested(in: text) == [], "\(path)")
    }
    #expect(count > 20)
  }

  @Test("A group in a group is found, and one in a command is not")
  func found() {
    let group = "struct A: ParsableArguments {\n  @OptionGroup var b: B\n}\n"
    #expect(Self.nested(in: group + "\nstruct C: ParsableCommand {}\n").count == 1)
    #expect(Self.nested(in: "struct C: ParsableCommand {\n  @OptionGroup var b: B\n}\n") == [])
    #expect(
      Self.nested(in: "struct B: ParsableArguments {\n}\n\nstruct C: ParsableCommand {\n  @OptionGroup var b: B\n}\n")
        == [])
  }
}

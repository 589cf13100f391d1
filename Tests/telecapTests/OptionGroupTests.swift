import Foundation
import TelecapTestSupport
import Testing

/// Groups of options as the sources declare them.
@Suite("Groups of options") struct OptionGroupTests {
  /// The first lines of the types that contain a group of options and are no commands.
  private static func nested(in text: String) -> [Substring] {
    text.split(separator: "\n}\n").filter { $0.contains("\n  @OptionGroup") }.compactMap { declaration in
      let head = declaration.split(separator: "\n").last { $0.hasPrefix("struct ") || $0.hasPrefix("protocol ") }
      return head?.contains("Command {") == true ? nil : head
    }
  }

  /// swift-argument-parser validates each group five times for each group around it, in every start of a debug build.
  @Test("Only commands contain groups of options")
  func flat() throws {
    let folder = Project.file("Sources/telecap")
    var count = 0
    for case let path as String in try #require(FileManager.default.enumerator(atPath: folder.path))
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      count += text.ranges(of: "\n  @OptionGroup").count
      #expect(Self.nested(in: text) == [], "\(path)")
    }
    #expect(count > 50)
  }

  @Test("A group in a group is found, whatever it conforms to, and one in a command is not")
  func found() {
    let command = "/// A command.\nstruct C: AsyncParsableCommand {\n  @OptionGroup var b: B\n}\n"
    for head in ["struct A: ParsableArguments {", "struct A<B: C>: PortNumbering {"] {
      #expect(Self.nested(in: "\(command)\n\(head)\n  @OptionGroup var b: B\n}\n") == [Substring(head)])
    }
    #expect(Self.nested(in: "struct B: ParsableArguments {\n}\n\n\(command)") == [])
  }
}

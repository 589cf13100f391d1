import Foundation
import TelecapTestSupport
import Testing

/// `telecap report`, from outside.
@Suite(.smoke) struct ReportTests {
  private static func capture(_ name: String) -> String { Project.file("Captures/\(name).pcapng").path }

  @Test("A page in one file shows what there is, and asks for nothing")
  func page() throws {
    let folder = try Folder()
    let run = try Program.run(["report", Self.capture("teleoperation"), "-o", folder["page.html"]])
    #expect(run.status == 0 && run.output.isEmpty)
    let page = try String(contentsOfFile: folder["page.html"], encoding: .utf8)
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    for shown in [
      "tele HAPTIC", "tele haptic, session 1", "intensity", "HELLO–ACK", "ended by BYE", "delay by timestamp_us",
    ] {
      #expect(page.contains(shown), "\(shown)")
    }
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("@import"))
  }

  @Test("What was found stands in it with its bytes")
  func findings() throws {
    let page = try Program.run(["report", Self.capture("malformed")]).output
    for shown in ["length.truncated", "value.not-a-number", "data-field=\"0\"", "54</span>"] {
      #expect(page.contains(shown), "\(shown)")
    }
  }

  @Test("A protocol of a file has its curves too")
  func declared() throws {
    let folder = try Folder()
    let source = folder["lamp.yaml"]
    _ = try folder.write(Array(Self.lamp.utf8), to: "lamp.yaml")
    let run = try Program.run([
      "report", Self.capture("teleoperation"), "--protocol", source, "--port", "lamp-udp=50000", "-o", folder["p.html"],
    ])
    // Two protocols cannot have one port: it is said, and no page is left.
    #expect(run.status == 64 && !FileManager.default.fileExists(atPath: folder["p.html"]))
  }

  @Test("A bad input, an output that exists, and a missing file end as they are to")
  func problems() throws {
    let folder = try Folder()
    let text = try folder.write(Array("no capture".utf8), to: "text.telecap")
    #expect(try Program.run(["report", text, "-o", folder["a.html"]]).status == 65)
    #expect(try Program.run(["report", folder["none.telecap"], "-o", folder["a.html"]]).status == 66)
    #expect(!FileManager.default.fileExists(atPath: folder["a.html"]))
    let page = try folder.write(Array("mine".utf8), to: "b.html")
    #expect(try Program.run(["report", Self.capture("busy"), "-o", page]).status == 73)
    #expect(try String(contentsOfFile: page, encoding: .utf8) == "mine")
    #expect(try Program.run(["report", Self.capture("busy"), "-o", page, "--force"]).status == 0)
  }

  @Test("Results of conform become a page, two runs side by side; a recording beside them is refused")
  func results() throws {
    let folder = try Folder()
    let only = ["--only", "mouse.hid.layout"]
    _ = try Program.run(["conform", "--json", folder["a.json"]] + only)
    _ = try Program.run(["conform", "--json", folder["b.json"]] + only)
    let run = try Program.run(["report", folder["a.json"], folder["b.json"], "-o", folder["r.html"]])
    #expect(run.status == 0, "\(run.errors)")
    let page = try String(contentsOfFile: folder["r.html"], encoding: .utf8)
    #expect(page.contains("What changed") && page.contains("every scenario came out as before"))
    let broken = try folder.write(Array("{\"format\":".utf8), to: "c.json")
    #expect(try Program.run(["report", broken]).status == 65)
    #expect(try Program.run(["report", folder["a.json"], Self.capture("busy")]).status == 65)
    #expect(try Program.run(["report", Self.capture("busy"), Self.capture("busy")]).status == 64)
  }

  private static let lamp = """
    protocol: lamp
    title: A lamp
    carriers: [{name: udp, over: udp, port: 7000}]
    header: [{name: magic, type: text 2, equals: LP, is: identity}, {name: type, type: u8, is: type}]
    messages: [{name: DIM, type: 1, from: client, fields: [{name: level, type: f32, range: [0, 1]}]}]
    session: {opens: with-any-message}
    streams: [{name: level, message: DIM, values: [level], range: [0, 1]}]
    """
}

import Foundation
import TelecapCapture
import TelecapFiles
import TelecapRecording
import TelecapReport
import TelecapSuites
import TelecapTestSupport
import TelecapTransport
import TelecapWire
import Testing

@testable import TelecapWeb

/// A walk through the pages: what a link leads to is there, a page and a place on it.
@Suite struct PageLinksTests {
  /// `teleoperation` is the session of the demo; the others have what it has not: findings, refusals.
  @Test(
    "Every link of the pages leads to a page, and to an anchor on it",
    arguments: sampled(Array(PageLinksTests.captures), oneIn: 3))
  func view(_ name: String) async throws {
    let recording = try RecordingFiles.standard.recording(Project.file("Captures/\(name).pcapng").path)
    let problems = try await recording.withCapture { reader, _ in
      let shown = ShownCapture(name: name, recording: recording, reader: reader)
      // With two captures each page links to the other.
      let all = name == "busy" ? [shown, shown] : [shown]
      return try await Self.walk(try PageServer(all, at: Self.address, suites: .all, tool: "test"))
    }
    #expect(problems == [])
  }

  @Test("The hint on packets that were not understood links to their table on the page")
  func unread() async throws {
    var list = PacketList(interface: "test")
    let flow = Flow(.udp, from: Endpoint(.loopback, port: 40_000), to: Endpoint(.loopback, port: 50_900))
    try list.add([1, 2, 3], flow, at: .zero)
    let recording = RecordingFiles.standard.recording(list, ports: try RecordingFiles.standard.ports([:]))
    try await recording.withCapture { reader, _ in
      let shown = ShownCapture(name: "a b.pcap", recording: recording, reader: reader)
      let server = try PageServer([shown], at: Self.address, suites: .all, tool: "test")
      let problems = try await Self.walk(server)
      #expect(problems == [])
      let body = try await Self.page("/t/0/", of: server).body
      #expect(body.contains("<a href=\"#unread\">no message was understood"))
      #expect(body.contains("<th scope=\"row\">udp 50900</th>"))
      // Neither side is known to be the host.
      let commands = [40_000, 50_900].map { "telecap view &#39;a b.pcap&#39; --port tele-udp=\($0)" }
      #expect(body.contains("<pre>\(commands.joined(separator: "\n"))</pre>"))
    }
  }

  @Test("Every link of the page in one file leads to an anchor on it", arguments: PageLinksTests.captures)
  func report(_ name: String) throws {
    let recording = try RecordingFiles.standard.recording(Project.file("Captures/\(name).pcapng").path)
    let text = try recording.report(named: name, tool: "test", suites: .all) { _ in }.text
    let attributes = Self.attributes(of: text)
    var problems = Self.ownProblems(of: attributes)
    let ids = Set(Self.values(of: ["id"], in: attributes))
    for link in Self.values(of: ["href"], in: attributes) where !link.hasPrefix("data:") {
      // The script shows a part of the timeline.
      let place = link.hasPrefix("#timeline:") ? "timeline" : String(link.dropFirst())
      if !link.hasPrefix("#") || !ids.contains(place) { problems.append("\(link) leads nowhere") }
    }
    #expect(problems == [])
  }

  @Test("The link check finds missing pages and anchors, repeated ids, and labels without a target")
  func finds() {
    let text =
      "<p id=\"a\"></p><p id=\"a\"></p><label for=\"b\"></label><i aria-labelledby=\"a c\"></i><a href=\"?x=1&amp;y=%20\">"
    let attributes = Self.attributes(of: text)
    #expect(
      Self.ownProblems(of: attributes)
        == ["id a stands twice", "b is named and is not there", "c is named and is not there"])
    #expect(Self.values(of: ["href"], in: attributes) == ["?x=1&y=%20"])
    #expect(Self.absolute("../1/", from: "/t/0/packets?a=b") == "/t/1/")
    #expect(Self.absolute("?message=3", from: "/t/0/packets?a=b") == "/t/0/packets?message=3")
    #expect(Self.absolute("#x", from: "/t/0/packets?a=b") == "/t/0/packets?a=b#x")
    #expect(Self.absolute("./", from: "/t/0/packets?a=b") == "/t/0/")
  }

  static let captures = ["teleoperation", "malformed", "busy"]
  private static let gate = PageGate(token: "t", hosts: ["h"])
  private static let address = HostPort(host: "127.0.0.1", port: nil)

  // MARK: - Walking

  /// So many addresses that differ in their numbers only are walked to: each message of a list has one.
  private static let most = 8

  /// Follows links from the first page on; says what is wrong.
  private static func walk(_ server: PageServer) async throws -> [String] {
    var (problems, met, waiting): ([String], Set<String>, [String]) = ([], ["/t/0/"], ["/t/0/"])
    var counts: [String: Int] = [:]
    var ids: [String: Set<String>] = [:]
    var places: [(from: String, page: String, id: String)] = []
    while let address = waiting.popLast() {
      let answer = try await page(address, of: server)
      guard answer.status == 200 else {
        problems.append("\(address): \(answer.status)")
        continue
      }
      let attributes = attributes(of: answer.body)
      problems += ownProblems(of: attributes).map { "\(address): \($0)" }
      // A link to a packet, a time or a rule leads to a message.
      let isOfMessage = ["message=", "packet=", "at=", "where="].contains { address.contains("packets?\($0)") }
      if isOfMessage, !answer.body.contains("tr data-message") { problems.append("\(address): no message is there") }
      ids[address] = Set(values(of: ["id"], in: attributes))
      // A part that the script inserts is no page of its own: its address is relative to the page.
      for part in values(of: ["data-source", "data-damage"], in: attributes) {
        let status = try await page(absolute(part, from: address), of: server).status
        if status != 200 { problems.append("\(address) asks for \(part): \(status)") }
      }
      for link in values(of: ["href"], in: attributes) where !link.hasPrefix("data:") {
        let parts = absolute(link, from: address).split(separator: "#", maxSplits: 1).map(String.init)
        if parts.count == 2 { places.append((address, parts[0], parts[1])) }
        let kind = parts[0].filter { !"0123456789".contains($0) }
        guard !met.contains(parts[0]), counts[kind, default: 0] < most else { continue }
        counts[kind, default: 0] += 1
        met.insert(parts[0])
        waiting.append(parts[0])
      }
    }
    for place in places where ids[place.page].map({ !$0.contains(place.id) }) ?? false {
      problems.append("\(place.from): #\(place.id) is not on \(place.page)")
    }
    return problems
  }

  /// The page at an address, once the capture has been read for it.
  private static func page(_ address: String, of server: PageServer) async throws -> PageAnswer {
    let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
    let query = parts.count > 1 ? PageQuery.values(in: parts[1]) : [:]
    let request = PageRequest(path: parts[0], query: query, host: "h")
    var answer = await server.answer(request, gate)
    for _ in 0..<100 where answer.body.contains("data-waiting>") { answer = await server.answer(request, gate) }
    return answer
  }

  /// The absolute address of a link in a page (RFC 3986, 5.2, for the links of our pages).
  private static func absolute(_ link: String, from address: String) -> String {
    if link.hasPrefix("#") { return address.prefix { $0 != "#" } + link }
    let path = address.prefix { $0 != "?" }
    if link.hasPrefix("?") { return path + link }
    var folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var rest = Substring(link)
    while let step = ["./", "../"].first(where: rest.hasPrefix) {
      if step == "../" { folders.removeLast() }
      rest = rest.dropFirst(step.count)
    }
    return (folders + [rest]).joined(separator: "/")
  }

  // MARK: - Reading a page

  private typealias Attribute = (name: String, value: String)

  /// The problems of a page by itself.
  private static func ownProblems(of attributes: [Attribute]) -> [String] {
    let ids = values(of: ["id"], in: attributes)
    let twice = Dictionary(grouping: ids) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    let named = values(of: ["for", "aria-labelledby", "aria-describedby"], in: attributes)
      .flatMap { $0.split(separator: " ").map(String.init) }
    let all = Set(ids)
    return twice.map { "id \($0) stands twice" }
      + named.filter { !all.contains($0) }.map { "\($0) is named and is not there" }
  }

  private static func values(of names: [String], in attributes: [Attribute]) -> [String] {
    attributes.filter { names.contains($0.name) }.map(\.value)
  }

  /// The attributes of all elements, in their order; scripts and styles have none.
  private static func attributes(of text: String) -> [Attribute] {
    text.components(separatedBy: "<").flatMap { rest -> [Attribute] in
      guard let letter = rest.utf8.first, (97...122).contains(letter), let end = rest.utf8.firstIndex(of: 62) else {
        return []
      }
      // Names stand before a quote, values after it: `a href="` `x` ` class="` `y`.
      let parts = rest[..<end].components(separatedBy: "\"")
      return stride(from: 0, to: parts.count - 1, by: 2).compactMap { index in
        guard parts[index].hasSuffix("="), let name = parts[index].dropLast().split(separator: " ").last else {
          return nil
        }
        return (String(name), plain(parts[index + 1]))
      }
    }
  }

  /// Text without the escapes of markup.
  private static func plain(_ text: String) -> String {
    guard text.utf8.contains(38) else { return text }
    return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }
}

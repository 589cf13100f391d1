import Foundation
import TelecapConformance
import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// A protocol that is written in Swift, and its file under `Scenarios/protocols`.
struct BuiltInFile: CustomTestStringConvertible {
  let owner: WireProtocol
  /// The names that the file cannot have, or has differently: captures and findings keep their names for ever.
  let differences: [Difference]

  /// A name that differs.
  struct Difference {
    let subject: String
    let inCode: String?
    let inFile: String?
    let reason: String

    init(_ subject: String, _ inCode: String?, _ inFile: String?, _ reason: String) {
      (self.subject, self.inCode, self.inFile, self.reason) = (subject, inCode, inFile, reason)
    }
  }

  var path: String { "Scenarios/protocols/\(owner.name).yaml" }
  var testDescription: String { path }

  func text() throws -> String { try String(contentsOf: Project.file(path), encoding: .utf8) }

  /// The protocol as the file declares it, read together with the others.
  func read() throws -> WireProtocol {
    let others = Protocols.builtIn.filter { $0 !== owner }
    return try ProtocolFile.read(try text(), file: path, beside: ProtocolSurroundings(others))
  }

  static let all = [
    BuiltInFile(owner: Tele.wire, differences: tele), BuiltInFile(owner: Mouse.wire, differences: mouse),
  ]

  private static let ids = "A finding keeps its id; of a file it has the general one"
  private static let suite = "The requirement is one of the protocol's own suite, and follows from no declaration"
  private static let table = "A table of captures keeps its name"

  private static let tele: [Difference] =
    [
      Difference("table of AUTH of 6 bytes over ble", "ble_auth", "tele_auth", table),
      Difference(
        "finding, HELLO of 18 bytes over tcp-v1, udp-v1: code", "hello.code-characters warning",
        "value.bad-text warning", ids),
      Difference(
        "finding, AUTH of 6 bytes over ble: code", "hello.code-characters warning", "value.bad-text warning", ids),
      Difference(
        "finding, BEACON of 10 bytes over udp-v1: name", "beacon.name warning", "value.bad-text warning", ids),
      Difference(
        "finding, CONFIG of 8 bytes over ble, tcp-v1: config", "config.json warning", "value.bad-text warning", ids),
      Difference("finding, other form over udp-v1", "ack.dialect note", "message.form note", ids),
      Difference("finding, other form over tcp-v1", "ack.dialect note", "message.form note", ids),
      Difference(
        "finding, HAPTIC outside a session", "haptic.outside-session warning", "message.outside-session warning", ids),
      Difference(
        "finding, no answer", "hello.no-ack warning tele.hello.ack-every",
        "session.no-answer warning tele.session.answer", ids),
      Difference(
        "finding, frame length", "frame.length error tele.tcp.bad-length", "frame.length error", suite),
      Difference(
        "finding, quaternion", "pose.quaternion warning tele.pose.quaternion", "pose.quaternion warning", suite),
      Difference(
        "finding, silence", "session.silence note tele.session.timeout", "session.silence note", suite),
    ]
    + ["udp-v1", "tcp-v1", "ble"].map { carrier in
      Difference(
        "finding, type over \(carrier)", "header.type error tele.header.type", "header.type error tele.header.msg_type",
        "A requirement on the header is called by its field")
    }

  private static let mouse: [Difference] =
    ["MOVEMENT of 5 bytes over wifi", "CONTROL of 5 bytes over wifi"].map {
      Difference("header fields of \($0)", "0", "1", "In code the type is a field of each message's own table")
    }
    + [6, 5].map { Difference("table of REPORT of \($0) bytes over hid", "mouse_hid", "mouse_report", table) }
    + ["MOVEMENT", "CONTROL"].flatMap { message in
      ["delta_x", "delta_y", "scroll"].map { "\(message) of 5 bytes over wifi: \($0)" }
    }.map { Difference("finding, \($0)", "mouse.minus-128 warning mouse.clamp.never-minus-128", nil, ids) }
    + [
      Difference(
        "finding, REPORT of 6 bytes over hid: scroll", "mouse.minus-128 warning mouse.clamp.never-minus-128", nil, ids),
      Difference(
        "finding, too long over wifi", "mouse.length error mouse.length.wrong", "length.too-long error", ids),
      Difference("finding, too long over hid", "mouse.length error mouse.length.wrong", "length.too-long error", ids),
      Difference(
        "finding, type over wifi", "mouse.header error mouse.header.unknown", "header.type error mouse.header.header",
        ids),
      Difference(
        "finding, truncated", "length.truncated error mouse.length.wrong",
        "length.truncated error mouse.header.truncated", suite),
      Difference(
        "finding, trailing", "length.trailing warning", "length.trailing warning mouse.header.trailing", suite),
      Difference(
        "finding, reserved", "reserved.nonzero warning mouse.buttons.reserved",
        "reserved.nonzero warning mouse.reserved.nonzero", suite),
      Difference("findings, client", "phone", "mouse", "Findings call the client as the side is called"),
    ]
}

/// Names in captures, findings and help texts. The two ends of a wire need not agree on them.
private func names(of owner: WireProtocol) -> [String: String] {
  var names: [String: String] = ["findings, client": owner.rules.client]
  func add(_ subject: String, _ rule: Rule?) {
    guard let rule else { return }
    names["finding, \(subject)"] = "\(rule.id) \(rule.severity.name)" + (rule.requirement.map { " \($0)" } ?? "")
  }
  for kind in owner.messages {
    let layout = kind.layout
    let form = "\(layout.name) of \(layout.fixedSize) bytes over \(layout.dialects.sorted().joined(separator: ", "))"
    names["table of \(form)"] = layout.table
    names["header fields of \(form)"] = "\(layout.headerCount)"
    for field in layout.fields {
      add("\(form): \(field.name)", field.breach)
      if case .form(let text) = field.rule { add("\(form): \(field.name)", text.rule) }
    }
  }
  for port in owner.ports { names["help of \(port.id)"] = port.help }
  for dialect in owner.dialects {
    names["title of \(dialect.name)"] = dialect.transport
    let recognition = owner.recognition(over: dialect)
    for one in recognition.identity + recognition.constants { add("\(one.field.name) over \(dialect.name)", one.rule) }
    if recognition.code != nil { add("type over \(dialect.name)", recognition.unknownCode) }
    add("too long over \(dialect.name)", recognition.tooLong)
    add("other form over \(dialect.name)", recognition.otherForm)
  }
  if case .answer(let asking)? = owner.session?.opening { add("no answer", asking.unanswered) }
  for (message, rule) in owner.session?.needed ?? [:] { add("\(message) outside a session", rule) }
  let book = owner.rules
  let general: [(String, Rule)] = [
    ("truncated", book.truncated), ("trailing", book.trailing), ("out of range", book.outOfRange),
    ("not a number", book.notANumber), ("unknown code", book.unknownCode), ("reserved", book.reserved),
    ("quaternion", book.quaternion), ("transport", book.transport), ("direction", book.direction),
    ("gap", book.seqGap), ("duplicate", book.seqDuplicate), ("reordered", book.seqReordered),
    ("shared", book.seqShared), ("not followed", book.seqNotFollowed), ("silence", book.silence),
    ("session not followed", book.notFollowed), ("frame length", book.frameLength), ("skipped", book.streamSkipped),
    ("stream end", book.streamEnd),
  ]
  for (subject, rule) in general { add(subject, rule) }
  return names
}

@Suite("TELE and the mouse in files") struct BuiltInFileTests {
  @Test("The file declares the same protocol as the Swift code", arguments: BuiltInFile.all)
  func aFileDeclaresTheProtocolThatIsWrittenInSwift(_ file: BuiltInFile) throws {
    let (code, read) = (ProtocolFacts(file.owner), ProtocolFacts(try file.read()))
    for subject in code.differences(from: read) {
      Issue.record("\(subject): \(code[subject] ?? "nothing") in code, \(read[subject] ?? "nothing") in the file")
    }
    #expect(code.facts.count > 30)
  }

  /// A difference that no longer exists must be removed from the list as well.
  @Test("The names that differ are exactly those in the list", arguments: BuiltInFile.all)
  func theNamesThatDifferAreThoseThatAreListed(_ file: BuiltInFile) throws {
    let (code, read) = (names(of: file.owner), names(of: try file.read()))
    let differing = Set(code.keys).union(read.keys).filter { code[$0] != read[$0] }
    let listed = Dictionary(file.differences.map { ($0.subject, $0) }) { first, _ in first }
    for subject in differing.union(listed.keys).sorted() {
      let known = listed[subject]
      #expect(
        differing.contains(subject) && known?.inCode == code[subject] && known?.inFile == read[subject],
        "(\"\(subject)\", \"\(code[subject] ?? "nil")\", \"\(read[subject] ?? "nil")\")")
    }
  }

  @Test("Payloads decode to the same messages by the file and by the code", arguments: BuiltInFile.all)
  func payloadsAreTheSameMessagesByTheFileAndByTheCode(_ file: BuiltInFile) throws {
    let read = try file.read()
    for (code, own) in zip(file.owner.dialects, read.dialects) {
      for payload in Self.payloads(of: file.owner) {
        let (one, other) = (found(payload, code), found(payload, own))
        #expect(one == other, "\(Hex.text(payload)) over \(code.name)")
      }
    }
  }

  /// The message that it is, whether it is valid, and where something was found, each with its severity.
  private func found(_ payload: [UInt8], _ dialect: Dialect) -> [String] {
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(payload.span.bytes, as: dialect, findings: &findings)
    return ["\(kind.name) of \(kind.layout.fixedSize)"] + findings.map { "\($0.severity.name) at \($0.range)" }
  }

  /// Right messages, each with every byte changed, cut at every length, and longer.
  private static func payloads(of owner: WireProtocol) -> [[UInt8]] {
    owner.messages.map { Message.right($0).bytes }.flatMap { right -> [[UInt8]] in
      let changed = right.indices.flatMap { place in
        ([0x01, 0x7f, 0x80, 0xff] as [UInt8]).map { mask -> [UInt8] in
          var bytes = right
          bytes[place] ^= mask
          return bytes
        }
      }
      return [right, right + [0], right + [1, 2, 3]] + changed + (0..<right.count).map { Array(right.prefix($0)) }
    }
  }

  @Test("A file that declares a built-in protocol identically is that protocol", arguments: BuiltInFile.all)
  func aFileThatDeclaresAKnownProtocolInTheSameWayIsThatProtocol(_ file: BuiltInFile) throws {
    #expect(try ProtocolFile.read(try file.text(), file: file.path) === file.owner)
    let retitled = try file.text().replacing(/title: .*/, with: "title: another title")
    #expect(try ProtocolFile.read(retitled, file: file.path) === file.owner)
  }

  @Test(
    "The error for a file that declares a built-in protocol differently names the difference",
    arguments: [
      ("timeout: 3s", "timeout: 4s", "session, timeout is \"4 s\" here and \"3 s\" there"),
      (
        "over: udp, port: 50000", "over: udp, port: 50002",
        "port tele-udp is \"udp 50002 of udp-v1, the host's\" here and \"udp 50000 of udp-v1, the host's\" there"
      ),
      (
        "name: uptime_ms, type: u32", "name: uptime_ms, type: i32",
        "HEARTBEAT of 14 bytes over ble: uptime_ms is \"at 10, int32, little-endian, ms\" here and "
          + "\"at 10, uint32, little-endian, ms\" there"
      ),
      (
        "- {name: cmd, message: CMD, key: [cmd_type], values: [value], merge: event}", "",
        "stream cmd is nothing here and "
          + "\"CMD, event, for each cmd_type, values value, NaN is dropped\" there"
      ),
    ])
  func oneThatDeclaresItInAnotherWaySaysWhatDiffers(_ old: String, _ new: String, _ difference: String) throws {
    let text = try BuiltInFile.all[0].text()
    #expect(text.contains(old))
    do throws(YAMLFileError) {
      _ = try ProtocolFile.read(text.replacing(old, with: new), file: "tele.yaml")
      Issue.record("no error")
    } catch {
      #expect(
        error.description
          == "tele.yaml:3:11: there is a protocol \"tele\" already, and this is another: \(difference); give it another name"
      )
    }
  }
}

import Foundation
import TelecapFiles
import TelecapImpairment
import TelecapPlatform
import TelecapProtocols
import TelecapReplay
import TelecapReport
import TelecapStore
import TelecapSuites
import TelecapText
import TelecapTransport
import TelecapWeb

extension FuzzTarget {
  /// The pages of captures and of a relay: of an input a byte for the page, then of each parameter a byte for its name, one for its value,
  /// and what that takes. Each request is answered, what is right with a page, and no text of a request is markup in it.
  static let pages = FuzzTarget(
    "pages", seeds: { FuzzedPages.seeds + FuzzedPages.found },
    concurrently: { bytes in
      var input = FuzzBytes(bytes)
      let page = input.choice(FuzzedPages.pages)
      let parameters = FuzzedPages.parameters(&input)
      let answer = try await FuzzedPages.server().answer(
        to: page.path, query: page.isForm ? "" : parameters, form: page.isForm ? parameters : nil)
      // No relay runs: what is right cannot be played.
      let isAllowed = [200, 400].contains(answer.status) || page.isForm && answer.status == 503
      try hold(isAllowed, "\(page.path)?\(parameters): \(answer.status) \(answer.body.prefix(200))")
      let hasControls = answer.body.unicodeScalars.contains {
        $0.value < 32 && $0 != "\n" && $0 != "\t" || $0.value == 127
      }
      try hold(!hasControls, "\(page.path)?\(parameters): a control character in the answer")
      let isMarkup = answer.type.hasPrefix("text/html") && answer.body.contains("<b>x</b>")
      try hold(!isMarkup, "\(page.path)?\(parameters): text of the request is markup")
      return answer.status == 200
    })
}

private enum FuzzedPages {
  typealias Page = (path: String, isForm: Bool)

  /// Every address that reads parameters.
  static let pages: [Page] =
    ["0", "1"].flatMap { site in
      [
        "", "timeline", "timeline/figures", "packets", "packets/rows", "packets/detail", "what-if", "what-if/figures",
        "damage",
      ]
      .map { ("\(site)/\($0)", false) }
    } + [("2/", false), ("2/network", true)]

  private static let names = [
    "from", "until", "message", "packet", "at", "before", "after", "newest", "where", "as", "network", "way", "loss",
    "delay", "jitter", "reorder", "duplicate", "stall", "hostile", "seed", "corrupt", "rate", "x",
  ]

  private static let values = [
    "", "0", "1", "-1", "10", "100", "101", "-0.0", "0.5", "1e308", "-1e308", "1e-320", "9.3e9", "-9.3e9", "inf", "nan",
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615", "0x1p1023", "٣",
    "phone", "host", "mouse", "lte", "wifi", "both", "up", "down", "type = 'POSE'", "seq > 1 -- x", "<b>x</b>",
    "'\"><b>x</b>", "\u{202e}\u{1b}[31m\u{0}", "x'00' || zeroblob(1000000)", "time_ns - -9223372036854775807 - 2",
    "abs(-9223372036854775807 - 1)", "1 OR 1", "1) OR (1",
  ]

  static let seeds: [[UInt8]] = [
    [0], [1, 0, 8, 1, 9], [2, 0, 13, 1, 4], [3, 2, 16], [4, 8, 30], [5, 3, 2], [6, 9, 23], [7, 12, 5, 19, 17],
    [12, 4, 8],
    [13, 8, 128 | 8] + Array("seq > 20".utf8), [16, 9, 22, 12, 4, 13, 10, 10, 25], [18], [19, 12, 4, 11, 27],
    [19, 13, 12], [3, 8, 32], [19, 10, 32],
  ]

  /// The inputs by which a fuzzer reached the most new code; fuzzing begins with them.
  static let found: [[UInt8]] = [
    [16], [91], [6, 8], [1, 0, 58], [13], [121, 37], [55, 91], [6, 116, 112, 79, 105, 111, 110, 97, 108],
    [126, 32, 40, 105, 100, 41, 126], [163, 33], [147, 19, 0, 242, 4], [46, 198, 46], [229, 229], [46, 58, 18],
    [1, 0, 8, 1, 58], [251, 252, 2, 0, 52, 0, 0, 61], [16, 14, 9, 4, 22, 13, 222, 10, 25], [67, 8, 0, 16, 9, 22],
    [216, 16, 9, 182, 182, 141, 182, 22], [4, 4, 8, 8, 215], [10, 8, 32, 1, 127], [6, 3, 2, 16, 9, 23, 6, 9, 23],
    [16, 16, 12, 107, 4, 255, 9, 25], [0, 0, 0, 72, 93], [235, 12, 4, 0], [27, 0, 49, 46], [3, 2, 42, 5, 3, 18, 93],
    [16, 40, 16],
  ]

  /// Parameters as an address has them.
  static func parameters(_ input: inout FuzzBytes) -> String {
    var parts: [String] = []
    while !input.isEmpty, parts.count < 8 {
      let name = input.choice(names)
      let length = input.byte()
      let isOwn = length >= 128
      let value =
        isOwn ? String(decoding: input.piece(Int(length & 63)), as: UTF8.self) : values[Int(length) % values.count]
      // Half of the texts of its own come as they are.
      parts.append("\(name)=\(isOwn && length & 64 != 0 ? value : Escaping.url(value))")
    }
    return parts.joined(separator: "&")
  }

  /// Captures with findings and with sessions, and a relay; made once.
  private static let made = Result {
    let folder = try TemporaryFolder()
    let captures = try ["malformed", "teleoperation"].map { name in
      let (file, path) = (folder.file("\(name).pcapng"), folder.file("\(name).telecap"))
      try Data(Seeds.file("Captures/\(name).pcapng")).write(to: URL(filePath: file))
      let recording = try StoredCapture.files.recording(file)
      _ = try StoredCapture.files.importing(recording, into: path, force: false)
      return (recording: recording, reader: try StoredCapture.files.reader(path))
    }
    let network = try RelayNetwork(
      up: Impairments(parsing: "--delay 1s --corrupt 3%"), down: .none, seed: 1, Protocols.builtIn)
    let relay = ShownRelay("udp:1=x:2", RelayController(), network, Protocols.builtIn, tell: { _ in })
    return (server: try PageServer(of: captures, and: relay, suites: .all, tool: "fuzz"), folder: folder)
  }

  /// The server, once its captures have been read.
  static func server() async throws -> PageServer {
    let server = try made.get().server
    if isRead.with({ $0 }) { return server }
    for site in 0...1 {
      while await server.answer(to: "\(site)/", query: "").body.contains("data-waiting>") {}
    }
    isRead.with { $0 = true }
    return server
  }

  private static let isRead = Locked(false)
}

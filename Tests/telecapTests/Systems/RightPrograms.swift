import Foundation
import TelecapTestSupport
import Testing

/// A program that keeps every rule, in a place or a manner that a tool could take for wrong. Each is a real process; the programs
/// are those of `Tests/Independent`, written from the specification alone.
struct RightProgram: Sendable, CustomTestStringConvertible {
  /// Whose system file it has, and which program.
  enum Kind: String, Sendable {
    case mouseHost = "mouse-host-full"
    case host = "tele-host"
    case phone = "tele-phone"
    case dsuClient = "dsu-client"
    case dsuServer = "dsu-server"
  }

  let name: String
  let kind: Kind
  /// The options of the program, behind those of its system file.
  let options: [String]
  /// The size of a mouse host's screen, and where its pointer begins.
  var screen: (size: String, start: String)?
  /// The scenarios that touch the awkward place.
  let only: [String]
  /// Why it is right, by the specification.
  let why: String

  var testDescription: String { name }

  private init(_ name: String, _ kind: Kind, _ options: String, only: String, _ why: String) {
    (self.name, self.kind, self.why) = (name, kind, why)
    self.options = options.split(separator: " ").map(String.init)
    self.only = only.split(separator: " ").map(String.init)
  }

  private init(
    pointer name: String, _ size: String, _ start: String, _ options: String = "", only: String, _ why: String
  ) {
    self.init(name, .mouseHost, options, only: only, why)
    screen = (size, start)
  }

  /// All of them.
  static let all: [RightProgram] = [
    RightProgram(
      pointer: "pointer in the last corner", "320x200", "319,199", only: "mouse.p* mouse.c*",
      "Receiver rule 2: the pointer is clamped to the screen after each packet; where it begins is nobody's rule"),
    RightProgram(
      pointer: "pointer in the first corner", "1920x1080", "0,0", only: "mouse.p* mouse.c*",
      "Receiver rule 2: left and up it cannot move"),
    RightProgram(
      pointer: "pointer on the left edge", "1920x1080", "0,540", only: "mouse.p*", "Receiver rule 2"),
    RightProgram(
      pointer: "pointer on the lower edge", "1920x1080", "960,1079", only: "mouse.p*", "Receiver rule 2"),
    RightProgram(
      pointer: "screen of one pixel", "1x1", "0,0", only: "mouse.p* mouse.b*",
      "Receiver rule 2: the pointer has one place; buttons and wheel go on"),
    RightProgram(
      pointer: "screen one pixel wide", "1x1080", "0,540", only: "mouse.p*", "Receiver rule 2: it moves up and down"),
    RightProgram(
      pointer: "screen one pixel high", "1920x1", "960,0", only: "mouse.p*", "Receiver rule 2: it moves left and right"),
    RightProgram(
      pointer: "screen of two by two", "2x2", "1,0", only: "mouse.p* mouse.s*", "Receiver rule 2"),
    RightProgram(
      pointer: "screen that no movement crosses", "1000000x1000000", "500000,500000", only: "mouse.p*",
      "Receiver rule 2; the largest screen that a system file can have"),
    RightProgram(
      pointer: "mouse host that drops -128", "1366x768", "100,100", "--minus-128 drop", only: "mouse.c* mouse.l*",
      "WiFi packet: -128 is out of range; what a receiver does with it is open"),
    RightProgram(
      pointer: "mouse host that clamps -128", "1366x768", "100,100", "--minus-128 clamp", only: "mouse.c* mouse.l*",
      "WiFi packet: -128 is out of range; what a receiver does with it is open"),
    RightProgram(
      pointer: "mouse host that reads -128", "1366x768", "100,100", "--minus-128 read", only: "mouse.c* mouse.l*",
      "WiFi packet: -128 is out of range; what a receiver does with it is open"),
    RightProgram(
      pointer: "mouse host that prints its whole state", "1920x1080", "960,540", "--one-line",
      only: "mouse.b* mouse.s*",
      "a line for each packet, also for one that changes nothing"),
    RightProgram(
      pointer: "mouse host that is silent until something changes", "1920x1080", "960,540", "--quiet-start",
      only: "mouse.p* mouse.b*", "no rule asks for a line at the start"),
    RightProgram(
      pointer: "mouse host that takes 3 s to start", "320x200", "160,100", "--slow-start 3", only: "mouse.b*",
      "ready says when it listens"),

    RightProgram(
      "host that drops what it may", .host,
      "--strict-length --tcp-trailing drop --same-address refuse --odd-quaternion drop",
      only: "tele.header.* tele.pose.[dq]*",
      "trailing bytes, a second session of one address and odd quaternions may be dropped or taken"),
    RightProgram(
      "host that ends a connection with trailing bytes", .host, "--tcp-trailing close --other-version answer",
      only: "tele.header.*", "tcp-v1: a bad length closes the connection"),
    RightProgram(
      "host whose times are integers of 64 bits", .host, "--microseconds", only: "tele.pose.[ltv]*",
      "timestamp_us is a uint64; no double holds all of them"),
    RightProgram(
      "host that takes 3 s to start", .host, "--slow-start 3", only: "tele.hello.*", "ready says when it listens"),
    RightProgram(
      "host that applies the newest pose 30 times a second", .host, "--conflate", only: "tele.pose.[dl]*",
      "latest value wins: a pose that a newer one replaced need not be applied"),
    RightProgram(
      "host that shows three decimals and no seq", .host, "--no-seq --decimals 3", only: "tele.pose.[dl]*",
      "what a program prints is its own choice"),
    RightProgram(
      "host that answers BUSY to a wrong code", .host, "--wrong-code-while-busy busy", only: "tele.hello.*",
      "hosts in the field do: Where the published texts disagree"),

    RightProgram(
      "phone that drops what is no number", .phone, "--nan drop --infinity drop", only: "tele.haptic.[n]*",
      "semantics: NaN and infinities are clamped, or the message is dropped"),
    RightProgram(
      "phone that drops trailing bytes", .phone, "--trailing drop", only: "tele.header.*",
      "a datagram longer than its message may be dropped"),
    RightProgram(
      "phone whose first pose is 65535", .phone, "--first-seq 65535 --pairs", only: "tele.phone.*",
      "seq wraps, and its first value is open"),
    RightProgram(
      "phone that exits after its first session", .phone, "--exit-after-session",
      only: "tele.bye.*phone tele.session.*",
      "Session rule 1: it asks for as long as it lives; it ends with status 0 once its session is over"),
    RightProgram(
      "phone that takes 3 s to start", .phone, "--slow-start 3", only: "tele.haptic.c*", "it speaks when it is ready"),
    RightProgram(
      "phone that prints every value with two decimals", .phone, "--every --decimals 2", only: "tele.haptic.[cl]*",
      "what a program prints is its own choice"),

    RightProgram(
      pointer: "mouse host that prints 30 times a second", "1920x1080", "960,540", "--frames",
      only: "mouse.p* mouse.s*",
      "Receiver rule 2 is about its state after each packet; how often it prints that is its own choice"),
    RightProgram(
      "host that takes IPv4 and IPv6 on one socket", .host, "--dual-stack", only: "tele.hello.b* tele.bye.*",
      "an IPv4 client has an IPv4-mapped address there (RFC 4291, 2.5.5.2), which it prints"),
    RightProgram(
      "host of both families that takes nothing but what it must", .host,
      "--dual-stack --conflate --decimals 3 --no-seq",
      only: "tele.pose.[dl]*", "what a program prints is its own choice"),
    RightProgram(
      "host that flushes its log once a second", .host, "--log-every 1", only: "tele.hello.* tele.pose.[dl]*",
      "what it prints comes late, as of a program that forgot to flush; nothing says that it acts late"),
    RightProgram(
      "phone that goes to the background and sends pairs", .phone, "--switch-every 1.7 --pairs --first-seq 65530",
      only: "tele.phone.* tele.haptic.n*", "seq begins with each session where it likes, and wraps"),
    RightProgram(
      "phone whose user leaves every 0.8 s", .phone, "--switch-every 0.8", only: "tele.phone.b* tele.haptic.c*",
      "its user may leave at any time; what it applies between two sessions nobody may know"),

    RightProgram(
      "DSU client that asks by slot, with the largest id", .dsuClient, "--slots --id 4294967295", only: "dsu.*",
      "PAD may be asked for by slot; an id is any number of 32 bits"),
    RightProgram(
      "DSU client that sends probes first, late", .dsuClient, "--probe --slow-start 2", only: "dsu.*",
      "VERSION and PORTS may be asked for at any time"),
    RightProgram(
      "DSU server with padded VERSION, slow and patient", .dsuServer, "--padded --rate 4 --timeout 6.5", only: "dsu.*",
      "servers in the field pad VERSION; the rate is nobody's rule, the timeout some kind of timeout"),
    RightProgram(
      "DSU server that counts across the largest number", .dsuServer, "--first 4294967200 --rate 250", only: "dsu.*",
      "packet_number counts up in 32-bit serial order"),
  ]

  /// Its system file, in this folder.
  func write(to folder: Folder) throws -> String {
    let sources = Project.file("Tests/Independent").path
    var text = String(decoding: try [UInt8](file: "\(sources)/\(kind.rawValue).yaml"), as: UTF8.self)
    text = text.replacing("./", with: "\(sources)/")
    let more = options.map { ", \"\($0)\"" }.joined()
    text = text.replacing(/(command: \[[^\]]*)\]/) { "\($0.1)\(more)]" }
    if let screen {
      text = text.replacing(/--screen, [^,]*, --at, "[^"]*"/) { _ in
        "--screen, \(screen.size), --at, \"\(screen.start)\""
      }
      text = text.replacing(/pointer: .*/) { _ in "pointer: { screen: \(screen.size), start: [\(screen.start)] }" }
    }
    if options.contains("--microseconds") {
      text = text.replacing(/timestamp_us: \{[^}]*\}/) { _ in "timestamp_us: at_us" }
    }
    if options.contains("--no-seq") {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      text = lines.filter { !$0.contains("seq: seq") && !$0.contains("timestamp_us:") }.joined(separator: "\n")
    }
    return try folder.write(Array(text.utf8), to: "system.yaml")
  }

  /// What `conform` says of it.
  func conform(budget: String, _ more: [String] = []) throws -> Finished {
    let folder = try Folder()
    let file = try write(to: folder)
    let protocols = [.dsuClient, .dsuServer].contains(kind) ? ["--protocol", "dsu"] : []
    let arguments = ["conform"] + protocols + ["--sut", file, "--time-limit", budget, "--format", "json"]
    // Beside busy processes the end of what was begun takes its time.
    return try Program.run(arguments + only.flatMap { ["--only", $0] } + more, seconds: 300)
  }

  /// The verdicts that are failures.
  static func failures(in lines: [[String: Any]]) -> [[String: Any]] {
    lines.filter { $0["verdict"] as? String == "fail" }
  }
}

import Foundation
import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapPlatform
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapSuites
import TelecapTestSupport
import TelecapTransport
import Testing

@testable import TelecapWeb

/// A recording that is sent again through networks, to models.
@Suite struct WhatIfTests {
  private static func site(_ name: String = "teleoperation") throws -> WhatIfSite {
    let path = Project.file("Captures/\(name).pcapng").path
    return WhatIfSite(try RecordingFiles.standard.recording(path), path: "a b.pcapng", .all)
  }

  @Test("A perfect network applies everything; the same seed loses the same packets, another one others")
  func loss() throws {
    let site = try Self.site()
    func fidelity(_ query: [String: String]) throws -> Fidelity {
      try #require(try site.picture(["as": "host"].merging(query) { $1 }).0.report.oracle).fidelity
    }
    let perfect = try fidelity([:])
    #expect(perfect.sent == 31 && perfect.delivered == 31 && perfect.applied == 31)
    let lossy = try fidelity(["loss": "30", "seed": "1"])
    #expect(lossy.delivered < 31 && lossy.applied < lossy.delivered + 1)
    #expect(try fidelity(["loss": "30", "seed": "1"]) == lossy)
    #expect(try (2...9).contains { try fidelity(["loss": "30", "seed": "\($0)"]) != lossy })
  }

  @Test("The command repeats the picture, with quotes for the shell")
  func command() throws {
    let (picture, _, _) = try Self.site().picture(["loss": "12.5", "stall": "300", "seed": "7", "network": "lte"])
    #expect(
      picture.command == [
        "telecap", "replay", "a b.pcapng", "--role", "phone", "--network", "lte", "--loss", "12.5%", "--stall",
        "300ms@5s",
        "--seed", "7", "--to", "simulate:host",
      ])
    #expect(LivePage.figures(picture).contains("replay &#39;a b.pcapng&#39; --role phone"))
  }

  @Test("The command reads the recording as the page does, and a profile that overrides sliders is noted")
  func options() throws {
    let path = Project.file("Captures/teleoperation.pcapng").path
    let site = WhatIfSite(
      try RecordingFiles.standard.recording(path), path: path, .all,
      options: ["--protocol", "mine.yaml", "--port", "tele-udp=50001"])
    let picture = try site.picture(["as": "phone", "network": "lte"]).0
    #expect(picture.command.joined(separator: " ").contains("--protocol mine.yaml --port tele-udp=50001 --role phone"))
    #expect(picture.notes.contains { $0.hasPrefix("The network lte has: ") && $0.contains("rules") })
  }

  @Test("Sliders show the values of a network profile, which counts where none was moved")
  func sliders() throws {
    let site = try Self.site()
    func asked(_ query: [String: String]) throws -> (command: String, body: String) {
      let picture = try site.picture(query).0
      return (picture.command.joined(separator: " "), LivePage.figures(picture))
    }
    let lte = ["network": "lte", "of": "lte", "loss": "0.2", "delay": "22.5", "jitter": "15", "stall": "0"]
    for query in [["network": "lte"], lte] {
      let (command, body) = try asked(query)
      #expect(command.contains("--network lte --seed 1"))
      #expect(body.contains(#"{"name":"loss","label":"Loss","value":"0.2","step":"any"}"#))
      #expect(body.contains(#"{"name":"jitter","label":"Jitter","value":"15","step":"1"}"#))
    }
    #expect(try asked(lte.merging(["loss": "30"]) { $1 }).command.contains("--network lte --loss 30% --seed 1"))
    #expect(try asked(lte.merging(["loss": "0"]) { $1 }).command.contains("--network lte --loss 0% --seed 1"))
    // Another network moves them to its own numbers, but for one that was moved.
    let edge = try asked(lte.merging(["network": "edge", "delay": "7"]) { $1 })
    #expect(edge.command.contains("--network edge --delay 7ms --seed 1"))
    #expect(edge.body.contains(#"{"name":"loss","label":"Loss","value":"1","step":"0.5"}"#))
    #expect(edge.body.contains(#"{"name":"delay","label":"Delay","value":"7","step":"1"}"#))
    // The slider of stalls has the period of the profile.
    let tunnel = try asked(["network": "train-tunnel"]).body
    #expect(tunnel.contains(#"{"name":"stall","label":"Stall, every 20 s","value":"2000","step":"1"}"#))
  }

  @Test("The file of a network profile is read once for a picture")
  func readsOnce() throws {
    let read = Locked<[String]>([])
    let path = Project.file("Captures/teleoperation.pcapng").path
    let site = WhatIfSite(
      try RecordingFiles.standard.recording(path), path: path, .all,
      network: { name in
        read.with { $0.append(name) }
        return try NetworkLibrary().read(name).impairments
      })
    _ = try site.picture(["network": "lte", "of": "lte", "loss": "5"])
    #expect(read.with { $0 } == ["lte"])
    _ = try site.picture(["network": "edge", "of": "lte"])
    #expect(read.with { $0 }.sorted() == ["edge", "lte", "lte"])
  }

  @Test("Hostile values leave the curves visible")
  func hostile() throws {
    let body = LivePage.figures(try Self.site().picture(["as": "host", "hostile": "60"]).0)
    #expect(!body.contains("inf ") && !body.contains("e+38</text>") && body.contains(" beyond"))
    #expect(body.contains(" % ("))
  }

  @Test(
    "Of a recording that is too large a part is sent, which the page notes and the command names",
    arguments: [true, false])
  func part(_ isByCount: Bool) throws {
    let path = Project.file("Captures/teleoperation.pcapng").path
    let recording = try RecordingFiles.standard.recording(path)
    let site =
      isByCount
      ? WhatIfSite(recording, path: path, .all, most: 40)
      : WhatIfSite(recording, path: path, .all, longest: 700_000_000)
    let (picture, _, whole) = try site.picture(["as": "phone"])
    let words = picture.command
    let until = try #require(words.firstIndex(of: "--until").map { words[$0 + 1] })
    let milliseconds = try #require(Int64(until.dropLast(2)))
    #expect(until.hasSuffix("ms") && (isByCount || milliseconds == 700))
    #expect(whole.length <= milliseconds * 1_000_000)
    // The same by the window that the command names.
    let source = try ReplaySource(recording, as: "phone", window: CaptureWindow(until: milliseconds * 1_000_000))
    let units = try RecordingScan(source).units
    #expect(units <= (isByCount ? 40 : 95) && units > 30)
    let sent = try #require(picture.report.oracle).fidelity.sent
    #expect(sent > 20 && sent <= units)
    #expect(picture.notes.count == 1 && picture.notes[0].contains("which hold \(units) messages"))
    let all = try WhatIfSite(recording, path: path, .all).picture(["as": "phone"]).0
    #expect(all.notes.isEmpty && !all.command.contains("--until"))
  }

  @Test(
    "An unknown network profile is rejected, whatever file its name may lead to",
    arguments: ["nix", "/etc/passwd", "./a.yaml", "../networks/lte"])
  func networks(_ name: String) throws {
    let site = try Self.site()
    #expect(throws: (any Error).self) { try site.picture(["network": name]) }
  }

  @Test("Invalid numbers are ignored, and numbers beyond a slider are clamped")
  func numbers() throws {
    let site = try Self.site()
    let (picture, _, _) = try site.picture(["loss": "nan", "jitter": "1e300", "seed": "-1", "duplicate": "x"])
    #expect(picture.command.contains("500ms") && !picture.command.contains("--loss"))
    #expect(try site.picture(["loss": "1e9"]).0.report.oracle?.fidelity.delivered == 0)
  }
}

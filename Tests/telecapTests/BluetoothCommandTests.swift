import Foundation
import TelecapTestSupport
import Testing

/// Recordings of Bluetooth, by the built program, beside the real tshark.
@Suite(.real("runs telecap")) struct BluetoothCommandTests {
  private static let capture = Project.file("Captures/tele-ble.pcapng").path

  private func counts(_ file: String) throws -> [String: Int] {
    let summary = try Program.run(["dissect", file, "--summary", "--format", "json"]).json()[0]
    let rows = summary["attributes"] as? [[String: Any]] ?? []
    return Dictionary(uniqueKeysWithValues: rows.map { ("\($0["kind"]!) \($0["handle"]!)", $0["count"] as? Int ?? 0) })
  }

  @Test("Writes and notifications are those of tshark", arguments: ["tele-ble", "mouse-hid"])
  func writesAndNotificationsAreThoseOfTshark(_ name: String) throws {
    let file = Project.file("Captures/\(name).pcapng").path
    let fields = ["-T", "fields", "-e", "btatt.opcode", "-e", "btatt.handle"]
    let words = ["tshark", "-r", file, "-Y", "btatt.opcode == 0x52 || btatt.opcode == 0x1b"] + fields
    let shown = try Running("/usr/bin/env", words).finish(seconds: 60)
    let expected = shown.lines.map { line in
      let cells = line.split(separator: "\t")
      return "\(cells[0] == "0x52" ? "write" : "notification") \(UInt16(cells[1].dropFirst(2), radix: 16) ?? 0)"
    }
    #expect(expected.count > 20)
    #expect(try counts(file) == Dictionary(grouping: expected) { $0 }.mapValues(\.count))
  }

  /// A log of Android's, begun after the discovery: what its values are is asked for, said, and kept in the capture.
  @Test("A log without discovery")
  func aLogWithoutDiscovery() throws {
    let folder = try Folder()
    let log = try folder.write(try Self.btsnoop(skipping: 13), to: "late.log")
    let blind = try Program.run(["dissect", log, "--summary"])
    #expect(blind.status == 0 && blind.errors.contains("0x0013 (60 writes)"), "\(blind.errors)")
    #expect(blind.errors.contains("no message was understood"), "\(blind.errors)")
    let pose = "0x13=1C8FD138-FC18-4846-954D-E509366AEF64"
    let capture = folder["late.telecap"]
    let idle = "25=1c8fd138-fc18-4846-954d-e509366aef67"
    #expect(try Program.run(["import", log, "-o", capture, "--gatt", pose, "--gatt", idle]).status == 0)
    let types = try Program.run(["dissect", capture, "--summary", "--format", "json"]).json()[0]["types"]
    let names = (types as? [[String: Any]] ?? []).map { "\($0["type"]!) \($0["count"]!)" }
    #expect(names == ["POSE 60", "HAPTIC 20"])
    let exported = folder["late.pcapng"]
    #expect(try Program.run(["export", capture, "-o", exported]).status == 0)
    #expect(try counts(exported) == counts(log))
  }

  @Test(
    "What cannot be done is said",
    arguments: [
      (["dissect", capture, "--gatt", "0x99=1c8fd138-fc18-4846-954d-e509366aef68"], 0, "--gatt: no value of 0x0099"),
      (["dissect", capture, "--gatt", "1=2"], 64, "give a handle and the UUID of a characteristic"),
      (["dissect", "--hex", "00", "--gatt", "1=1c8fd138-fc18-4846-954d-e509366aef68"], 64, "requires a file"),
      (["replay", capture, "--to", "127.0.0.1"], 64, "telecap has none to send over"),
      (["replay", capture, "--to", "simulate:host"], 64, "--to model:host tests it in virtual time"),
      (["replay", capture, "--to", "udp://127.0.0.1:9?role=host"], 64, "telecap has no Bluetooth to send over"),
    ] as [([String], Int32, String)])
  func whatCannotBeDoneIsSaid(_ words: [String], _ status: Int32, _ says: String) throws {
    let end = try Program.run(words)
    #expect(end.status == status && end.errors.contains(says), "\(end.status) \(end.errors)")
  }

  /// Plans and verdicts as of any recording: what the network made of it is what the model is judged by.
  @Test(
    "A recording is replayed into a model",
    arguments: [
      (["tele-ble", "--role", "phone", "--to", "model:host", "--loss", "10%"], [60, 51, 51], 2),
      (
        ["tele-ble", "--role", "host", "--to", "model:phone", "--hostile", "60%"], [18, 16, 16], 5
      ),
      (["mouse-hid", "--to", "model:mouse-host", "--duplicate", "100%"], [23, 46, 46], 4),
    ])
  func aRecordingIsReplayedIntoAModel(_ words: [String], _ fidelity: [Int], _ passes: Int) throws {
    let recording = Project.file("Captures/\(words[0]).pcapng").path
    let network = Array(words.suffix(2))
    let end = try Program.run(["replay", recording, "--seed", "3", "--format", "json"] + words.dropFirst())
    #expect(end.status == 0, "\(end.errors)")
    #expect(try Self.fidelity(of: end) == fidelity, "\(end.output)")
    let checks = try end.json().first?["checks"] as? [[String: Any]] ?? []
    #expect(checks.count { $0["verdict"] as? String == "pass" } == passes, "\(end.output)")
    // The same from a saved plan.
    let folder = try Folder()
    let plan = folder["ble.plan"]
    let side = words.dropLast(2).last == "model:phone" ? "host" : words[0] == "tele-ble" ? "phone" : "mouse"
    #expect(try Program.run(["plan", recording, "--role", side, "--seed", "3", "-o", plan] + network).status == 0)
    let again = try Program.run(
      ["replay", recording, "--role", side, "--plan", plan, "--format", "json"] + words.dropLast(2).suffix(2))
    #expect(try Self.fidelity(of: again) == fidelity, "\(again.output)\(again.errors)")
  }

  /// The numbers of sent, delivered and applied messages.
  private static func fidelity(of replay: Finished) throws -> [Int] {
    let counts = try #require(try replay.json().first?["fidelity"] as? [String: Any])
    return ["sent", "delivered", "applied"].compactMap { counts[$0] as? Int }
  }

  @Test("What would be sent is named")
  func whatWouldBeSentIsNamed() throws {
    let end = try Program.run(["replay", Self.capture, "--dry-run"])
    #expect(end.lines.count == 62 && end.lines[1].contains("packet 18  POSE, 46 bytes, to ble"), "\(end.output)")
  }

  /// The frames of our capture behind the first as a btsnoop file.
  private static func btsnoop(skipping: Int) throws -> [UInt8] {
    let data = [UInt8](try Data(contentsOf: URL(filePath: capture)))
    func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(data[at + $1]) << (8 * $1) } }
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    var file = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4)
    var (at, packets) = (0, 0)
    while at < data.count {
      if number(at) == 6 {
        packets += 1
        let frame = data[at + 28..<at + 28 + number(at + 20)]
        let packet = Array(frame.dropFirst(4))
        if packets > skipping {
          file += big(packet.count, 4) + big(packet.count, 4) + big(Int(frame[frame.startIndex + 3]), 4) + big(0, 4)
          file += big(0x00dc_ddb3_0f2f_8000 + packets * 1_000, 8) + packet
        }
      }
      at += number(at + 4)
    }
    return file
  }
}

import TelecapFiles
import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapStore
import TelecapTestSupport
import TelecapWire
import Testing

@Suite("A capture's mouse messages as an evemu recording") struct EvemuExportTests {
  private let folder: Folder
  private let reader: CaptureReader

  /// Six movements by 1…6 counts, 2 s apart, with a pose of a phone before each; the last two of them are dated an hour earlier.
  init() throws {
    folder = try Folder()
    let mouse = Flow(.udp, from: PacketList.phone, to: Endpoint(PacketList.host.address, port: 8_888))
    let phone = Flow(.udp, from: PacketList.phone, to: PacketList.host)
    var list = PacketList(interface: "test")
    for number in 1...6 {
      let hours: Int64 = number > 4 ? 0 : 3_600
      let time = Timestamp(nanoseconds: (hours + Int64(number) * 2) * 1_000_000_000)
      try list.add(Bytes.pose(UInt16(number)), phone, at: time.advanced(byNanoseconds: -10_000_000))
      try list.add(Message.mouseMovement(deltaX: number, deltaY: 0, buttons: 0).bytes, mouse, at: time)
    }
    try RecordingFiles.builtIn.importing(.packets(list), into: folder["a"], force: true, ports: .standard)
    reader = try RecordingFiles.builtIn.reader(folder["a"])
  }

  /// Its movements, each as `seconds counts`.
  private func movements(where condition: String?) throws -> [String] {
    try EvemuExport(reader, where: condition).write(to: folder["out"], force: true)
    let text = String(decoding: try [UInt8](file: folder["out"]), as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("E: ") && $0.contains(" 0002 0000 ") }
      .map { $0.split(separator: " ") }.map { "\($0[1]) \($0[4])" }
  }

  private static let all = [
    "3602.000000 1", "3604.000000 2", "3606.000000 3", "3608.000000 4", "3608.020000 5", "3610.020000 6",
  ]

  @Test("Times go on after a clock step by the gap between packets, of the mouse or not")
  func times() throws {
    // 10 ms passed from the pose before the step to the movement before it: that is the gap over the step.
    #expect(try movements(where: nil) == Self.all)
  }

  @Test("A condition does not change the times of the messages that it chooses")
  func chosenTimes() throws {
    #expect(try movements(where: "delta_x IN (1, 5, 6)") == [Self.all[0], Self.all[4], Self.all[5]])
    #expect(try movements(where: "delta_x >= 5") == Array(Self.all[4...]))
  }

  @Test(
    "A condition is one expression of the user's: comments end with it, and an error shows it alone",
    arguments: [("buttons >= 0 -- x", 6), ("delta_x > 2 /* x */", 4), ("0 OR 1", 6), ("type = 'POSE' OR 0", 0)])
  func conditions(_ condition: String, _ count: Int) throws {
    #expect(try movements(where: condition).count == count)
  }

  @Test("A wrong condition is told as it was written", arguments: ["1) OR (1", "delta_x >", "nonsense = 1"])
  func wrongConditions(_ condition: String) throws {
    let error = #expect(throws: StoreError.self) { try movements(where: condition) }
    guard case .badCondition(let text, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text == condition)
  }
}

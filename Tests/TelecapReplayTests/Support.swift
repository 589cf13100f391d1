import Foundation
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapTele
import TelecapTestSupport
import TelecapWire

extension PacketList {
  static let phone = Endpoint(IPAddress(v4: 0xc000_0207), port: 40_000)
  static let host = Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000)

  /// A phone that says HELLO, is answered, and sends so many poses, 5 ms apart.
  static func poses(_ count: Int) throws -> PacketList {
    let up = Flow(.udp, from: phone, to: host)
    var list = PacketList(interface: "test")
    try list.add(Message.hello(sessionID: 7, code: "ABC123").bytes, up, at: .zero)
    try list.add(Bytes.ack, up.reversed, at: Timestamp(nanoseconds: 1_000_000))
    for seq in 0..<count {
      let pose = try Message.pose(
        seq: UInt16(seq), timestampMicroseconds: UInt64(seq) * 5_000, position: [Float(seq), 0, 0],
        orientation: [0, 0, 0, 1])
      try list.add(pose.bytes, up, at: Timestamp(nanoseconds: Int64(seq + 1) * 5_000_000))
    }
    return list
  }
}

extension ReplaySource {
  /// What `role` sent of so many poses.
  static func poses(_ count: Int, as role: Role = .phone) throws -> ReplaySource {
    ReplaySource(try .poses(count), name: "poses", as: role, ports: .standard, in: .builtIn)
  }
}

extension ReplayRun {
  /// A replay of so many poses under these impairments.
  static func poses(_ count: Int, _ impairments: String = "", seed: UInt64 = 3) throws -> ReplayRun {
    let asked = impairments.isEmpty ? .none : try Impairments(parsing: impairments)
    return try ReplayRun(of: .poses(count)) { survey in
      PlanHeader(seed: seed, capture: survey.digest.description, selection: "", impairments: asked)
    }
  }
}

/// The project's own scenarios, read once: a debug build takes more than a second for them.
enum ProjectScenarios {
  private static let read = Result { try ScenarioFolder(Project.file("Scenarios").path).read() }

  static func all() throws -> [Scenario] { try read.get() }
}

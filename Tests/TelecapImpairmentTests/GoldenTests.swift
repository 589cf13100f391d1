import TelecapImpairment
import TelecapRecording
import Testing

/// The same packets, options and seed give the same bytes on every platform. A change here is a change of the format:
/// it makes plans that were published with a seed different. The digests of loss, correlation, gemodel, corrupt, normal and
/// pareto were confirmed by a second implementation, in another language, of what the comments here say.
@Suite("Golden plans")
struct GoldenTests {
  static let digests: [(options: String, seed: UInt64, step: Int64, digest: String)] = [
    ("", 7, 1_000_000, "b8d18fc32be05a8b"),
    ("--loss 5%", 7, 1_000_000, "47115d212c14ffbf"),
    ("--loss 5%,25%", 7, 1_000_000, "3f2a78440573a798"),
    ("--loss-model gemodel:1%,10%", 7, 1_000_000, "43416ee1a2bd275a"),
    ("--loss-model gemodel:1%,10%,70%,0.1%", 7, 1_000_000, "6f396cb18a0a28fa"),
    ("--loss-model state:1%,30%,20%,50%,0.5%", 7, 1_000_000, "062b672c3b1e74b0"),
    ("--corrupt 1%", 7, 1_000_000, "56e2f59782dbc6bd"),
    ("--duplicate 1%", 7, 1_000_000, "ee77fd3011dfac74"),
    ("--delay 20ms --jitter 10ms", 7, 1_000_000, "83c6ae615681ee6e"),
    ("--delay 20ms --jitter 10ms --distribution normal", 7, 1_000_000, "9d259cec07e9b764"),
    ("--delay 20ms --jitter 10ms --distribution pareto", 7, 1_000_000, "4d19937b70c314a7"),
    ("--delay 20ms --jitter 10ms --distribution paretonormal --keep-order", 7, 1_000_000, "8e88ffe7a583e328"),
    ("--reorder 5%,3", 7, 1_000_000, "f58173038bc9d73e"),
    ("--rate 64kbit", 7, 1_000_000, "cb17fb7601fe6298"),
    ("--stall 500ms@1s", 7, 1_000_000, "809be599f703cff2"),
    (
      "--loss 5% --corrupt 5% --duplicate 5% --delay 20ms --jitter 10ms --distribution normal --reorder 5%,2 --rate 1mbit,20 --stall 100ms@700ms",
      7, 1_000_000, "3350d22c27f4df5e"
    ),
    ("--reorder 5%,3", 8, 0, "69f72206d5deac6b"),
    (
      "--loss 5% --corrupt 5% --duplicate 5% --delay 20ms --jitter 10ms --distribution normal --reorder 5%,2 --rate 1mbit,20 --stall 100ms@700ms",
      .max, 0, "3a4234ac9f8b3315"
    ),
  ]

  static func bytes(_ options: String, seed: UInt64, step: Int64) throws -> [UInt8] {
    let impairments = try Impairments(options)
    var bytes: [UInt8] = []
    PlanWriter.append(PlanHeader(seed: seed, capture: "", impairments: impairments), to: &bytes)
    for line in plan(impairments, seed: seed, count: 2000, step: step, flows: 2) { PlanWriter.append(line, to: &bytes) }
    return bytes
  }

  @Test("The bytes of a plan never change", arguments: digests)
  func golden(_ options: String, seed: UInt64, step: Int64, digest: String) throws {
    let bytes = try Self.bytes(options, seed: seed, step: step)
    var found = CaptureDigest()
    found.add(bytes.span.bytes)
    #expect(found.description == digest, "\(options) seed \(seed) step \(step)")
  }

  @Test("Another seed gives another plan")
  func seeds() throws {
    let plans = try (1...20 as ClosedRange<UInt64>).map { seed in
      try Self.bytes("--loss 10%", seed: seed, step: 1000).drop { $0 != UInt8(ascii: "\n") }
    }
    #expect(Set(plans).count == 20)
  }

  @Test(
    "The random function's own numbers",
    arguments: [
      (0, ImpairmentID.loss, 1, 0, 0x2130_748a_aac8_0268), (7, .loss, 1, 0, 0x2bf6_f813_49ec_c50e),
      (7, .loss, 2, 0, 0xbd4b_eebc_4696_320a), (7, .loss, 1, 1, 0x34dc_3a73_04e2_dac1),
      (7, .delay, 12, 1, 0xc75c_a74e_3b83_9d16), (.max, .stall, .max, 3, 0x4c75_7a07_9309_ab5f),
    ] as [(UInt64, ImpairmentID, Int, UInt64, UInt64)])
  func vectors(_ seed: UInt64, _ impairment: ImpairmentID, _ packet: Int, _ draw: UInt64, _ bits: UInt64) {
    #expect(KeyedDraws(seed: seed, impairment: impairment).bits(item: packet, draw: draw) == bits)
  }
}

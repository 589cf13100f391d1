import TelecapConformance
import TelecapLoop
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

/// A correct model must pass under every network: losses, duplicates, late packets, flipped bits, garbage, silences.
@Suite struct AdversityTests {
  /// Delivers what `message` makes, worse than it was sent; returns the run with its end.
  func suffer<P: Peer>(
    _ receiver: P, _ oracle: Oracle, from source: Endpoint, seed: UInt64,
    _ message: (Int, inout SplitMix64) throws -> [UInt8]
  ) rethrows -> Loop<P, Oracle, SilentSide> {
    var random = SplitMix64(seed: seed)
    var run = Loop(receiver, judgedBy: oracle)
    var held: [(bytes: [UInt8], sent: Timestamp)] = []
    var now = Timestamp.zero
    for index in 0..<20_000 {
      let gap =
        Int.random(in: 0..<2_000, using: &random) == 0
        ? 5_000_000_000 : Int64.random(in: 0..<20_000_000, using: &random)
      now = now.advanced(byNanoseconds: gap)
      var bytes = try message(index, &random)
      run.sent(bytes.span.bytes, by: source, at: now)
      let sent = now
      switch Int.random(in: 0..<10, using: &random) {
      case 0: continue
      case 1: held.append((bytes, sent))
      case 2:
        let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      case 3: run.deliver(bytes.span.bytes, over: .udp, from: source, at: now, sentAt: sent, packet: index)
      case 4:
        bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      default: break
      }
      run.deliver(bytes.span.bytes, over: .udp, from: source, at: now, sentAt: sent, packet: index)
      if held.count > 3, let late = held.popLast() {
        run.deliver(late.bytes.span.bytes, over: .udp, from: source, at: now, sentAt: late.sent, packet: index)
      }
    }
    run.finish(at: now.advanced(byNanoseconds: 10_000_000_000))
    return run
  }

  @Test("The phone model passes", arguments: [1, 2, 3] as [UInt64]) func thePhoneModelPasses(_ seed: UInt64) throws {
    let values: [Float] = [0, 0.5, 1, 1.5, -1, .nan, .infinity, -.infinity, 0.1]
    let phone = try PhoneModel(.init(host: hostEnd, code: "ABC123", sessionID: 7))
    let run = try suffer(phone, Oracle([.haptic]), from: hostEnd, seed: seed) { index, random in
      index % 20 == 0 ? Message.ack(.ok).bytes : try haptic(values.randomElement(using: &random) ?? 0)
    }
    #expect(failed(run.oracle).isEmpty, "\(run.oracle.results)")
    #expect(run.oracle.results.allSatisfy { $0.verdict == .pass }, "\(run.oracle.results)")
  }

  @Test("The host model passes", arguments: [1, 2, 3] as [UInt64]) func theHostModelPasses(_ seed: UInt64) throws {
    let hello = try Message.hello(sessionID: 7, code: "ABC123").bytes
    let run = try suffer(HostModel(), Oracle([.pose]), from: phoneEnd, seed: seed) { index, random in
      index % 20 == 0 ? hello : try pose(UInt16(truncatingIfNeeded: index * 7), x: index % 50 == 1 ? .nan : 0)
    }
    #expect(run.oracle.results.allSatisfy { $0.verdict == .pass }, "\(run.oracle.results)")
    #expect(run.oracle.fidelity.stale > 100)
  }

  @Test("The mouse host model passes", arguments: [1, 2, 3] as [UInt64]) func theMouseHostModelPasses(_ seed: UInt64) {
    let screen = ScreenSize(width: 300, height: 200)
    let run = suffer(
      MouseHostModel(screen: screen), Oracle(JudgedStream.mouse(screen)), from: phoneEnd, seed: seed
    ) { _, random in
      (0..<5).map { $0 == 0 ? 0xAA : UInt8.random(in: 0...255, using: &random) }
    }
    #expect(failed(run.oracle).isEmpty, "\(run.oracle.results)")
    #expect(run.oracle.verdict() == .pass)
  }
}

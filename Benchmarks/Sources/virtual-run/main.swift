// virtual-run COUNT: a host model, a plan with loss, duplicates, jitter and reordering, and the oracle that tests the
// host, all in one process and in virtual time. Prints packets planned a second.
import TelecapConformance
import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire

/// One phone that streams poses at 60 Hz, with a HELLO each second.
struct Phone {
  private let hello: [UInt8]
  /// The payloads of what may be in flight, at the packet's number modulo their count.
  private var poses: [UInt8]
  private static let slots = 4_096
  private let size = Pose.layout.fixedSize

  init() throws {
    hello = try Message.hello(sessionID: 7, code: "ABC123").bytes
    let pose = try Message.pose(seq: 0, timestampMicroseconds: 0, position: .zero, orientation: [0, 0, 0, 1])
    poses = (0..<Phone.slots).flatMap { _ in pose.bytes }
  }

  /// Writes the packet's payload as it leaves the phone.
  mutating func send(_ packet: Int) {
    let start = packet % Phone.slots * size
    poses[start + 6] = UInt8(truncatingIfNeeded: packet)
    poses[start + 7] = UInt8(truncatingIfNeeded: packet >> 8)
  }

  func withPayload(of packet: Int, _ body: (RawSpan) -> Void) {
    if packet % 60 == 1 { return body(hello.span.bytes) }
    let start = packet % Phone.slots * size
    body(poses.span.bytes.extracting(start..<start + size))
  }
}

/// Packets a second. A function: a variable at the top of a program is global, and each access to it is checked.
func measure(_ count: Int) throws -> Double {
  let impairments = try Impairments(parsing: "--loss 5% --duplicate 1% --delay 20ms --jitter 10ms --reorder 5%,3")
  let source = Endpoint(.loopback, port: 40_000)

  var phone = try Phone()
  var planner = Planner(impairments, seed: 7)
  var network = Network()
  var run = Loop(HostModel(.init(code: "ABC123")), judgedBy: Oracle([.pose]))

  let clock = ContinuousClock()
  let began = clock.now
  for number in 1...count {
    let time = Int64(number) * 16_666_667
    phone.send(number)
    phone.withPayload(of: number) { run.sent($0, packet: number, by: source, at: Timestamp(nanoseconds: time)) }
    planner.plan(PlannedPacket(number: number, time: time, length: 46)) { line, sentAt in
      network.carryOut(line, sentAt: sentAt) { delivery in
        phone.withPayload(of: delivery.packet) {
          run.deliver(
            $0, over: .udp, from: source, at: Timestamp(nanoseconds: delivery.due),
            sentAt: Timestamp(nanoseconds: Int64(delivery.packet) * 16_666_667), packet: delivery.packet)
        }
      }
    }
  }
  run.finish(at: Timestamp(nanoseconds: Int64(count + 60) * 16_666_667))
  let elapsed = clock.now - began
  let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
  guard run.oracle.verdict() == .pass else {
    print("the model failed:", run.oracle.fidelity)
    throw CancellationError()
  }
  return Double(count) / seconds
}

print(Int(try measure(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3_000_000)))

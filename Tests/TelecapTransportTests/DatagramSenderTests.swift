import TelecapRecording
import TelecapTransport
import TelecapTestSupport
import Testing

@Suite(.real("sockets")) struct DatagramSenderTests {
  let policy = DestinationPolicy(.loopback)

  @Test("A batch arrives whole and in order")
  func aBatchArrivesWholeAndInOrder() throws {
    let peer = try Socket.udp()
    let sender = try DatagramSender(policy: policy, capacity: 64)
    let lane = try sender.open(to: peer.endpoint)
    for number in 0..<64 {
      #expect(sender.append([UInt8](repeating: UInt8(number), count: number), on: lane))
    }
    #expect(!sender.append([1], on: lane))
    sender.flush()
    #expect(sender.waiting == 0)
    for number in 0..<64 {
      let (bytes, from) = try peer.receive()
      #expect(bytes == [UInt8](repeating: UInt8(number), count: number))
      #expect(from == sender.flow(of: lane).source)
    }
    #expect(sender.counts.sent == 64)
    #expect(sender.counts.bytes == (0..<64).reduce(0, +))
    #expect(sender.counts.failed == 0)
  }

  @Test("Two lanes stay two senders and their order is kept", arguments: [true, false])
  func twoLanesStayTwoSendersAndTheirOrderIsKept(connected: Bool) throws {
    let peer = try Socket.udp()
    let sender = try DatagramSender(policy: policy)
    let lanes = [
      try sender.open(to: peer.endpoint, connected: connected),
      try sender.open(to: peer.endpoint, connected: connected),
    ]
    let order = [0, 0, 1, 0, 1, 1, 0]
    for (number, lane) in order.enumerated() { #expect(sender.append([UInt8(number)], on: lanes[lane])) }
    sender.flush()
    let ports = lanes.map { sender.flow(of: $0).source.port }
    #expect(ports[0] != ports[1])
    for (number, lane) in order.enumerated() {
      let (bytes, from) = try peer.receive()
      #expect(bytes == [UInt8(number)])
      #expect(from.port == ports[lane])
    }
  }

  @Test("Replies come back to their lane with time and flow")
  func repliesComeBackToTheirLaneWithTimeAndFlow() throws {
    let peer = try Socket.udp()
    let sender = try DatagramSender(policy: policy)
    let lanes = [try sender.open(to: peer.endpoint), try sender.open(to: peer.endpoint)]
    let before = WallClock.now()
    for lane in lanes { try peer.send([9, UInt8(lane == lanes[0] ? 0 : 1)], to: sender.flow(of: lane).source) }
    var seen: [Lane: [UInt8]] = [:]
    let stop = StopFlag()
    try sender.receive(forNanoseconds: 5_000_000_000, stop: stop) { reply, bytes in
      #expect(reply.time >= before && reply.time <= WallClock.now())
      #expect(reply.flow.source == peer.endpoint)
      let lane = try #require(reply.lane)
      #expect(reply.flow.destination == sender.flow(of: lane).source)
      seen[lane] = bytes.withUnsafeBytes { Array($0) }
      if seen.count == 2 { stop.raise() }
    }
    #expect(seen == [lanes[0]: [9, 0], lanes[1]: [9, 1]])
    #expect(sender.counts.replies == 2)
  }

  @Test("A closed port is counted and sending goes on")
  func aClosedPortIsCountedAndSendingGoesOn() throws {
    let sender = try DatagramSender(policy: policy)
    let lane = try sender.open(to: closedPort())
    for _ in 0..<10 { #expect(sender.append([1, 2, 3], on: lane)) }
    sender.flush()
    try sender.receive { _, _ in Issue.record("nobody can answer") }
    #expect(sender.counts.sent == 10)
    #expect(sender.counts.failed == 0)
    #expect(sender.counts.refused >= 1 && sender.counts.refused <= 10)
  }

  @Test("The largest datagram is sent, and a larger one is counted as failed")
  func theLargestDatagramGoesAndALargerOneIsCountedAsFailed() throws {
    let peer = try Socket.udp()
    let sender = try DatagramSender(policy: policy, bytes: 1)
    let lane = try sender.open(to: peer.endpoint)
    #expect(sender.append([UInt8](repeating: 7, count: 65_507), on: lane))
    sender.flush()
    #expect(try peer.receive().bytes.count == 65_507)
    #expect(sender.append([UInt8](repeating: 7, count: 65_508), on: lane))
    sender.flush()
    #expect(sender.append([UInt8](repeating: 7, count: 70_000), on: lane))
    sender.flush()
    #expect(sender.append([8], on: lane))
    sender.flush()
    #expect(try peer.receive().bytes == [8])
    #expect(sender.counts.sent == 2)
    #expect(sender.counts.failed == 2)
  }

  @Test("An empty datagram is sent")
  func anEmptyDatagramIsADatagram() throws {
    let peer = try Socket.udp()
    let sender = try DatagramSender(policy: policy)
    let lane = try sender.open(to: peer.endpoint)
    #expect(sender.append([UInt8](), on: lane))
    sender.flush()
    #expect(try peer.receive().bytes.isEmpty)
  }

  @Test("The pacer sends through a loopback socket")
  func thePacerDrivesASenderOverALoopbackSocket() throws {
    struct Work: PacedWork {
      let sender: DatagramSender
      let lane: Lane
      var next: UInt8 = 0
      func nextDue() -> Int64? { next < 20 ? Int64(next) * 1_000_000 : nil }
      mutating func load() -> Bool {
        defer { next += 1 }
        return sender.append([next], on: lane)
      }
      func send(at time: Int64) { sender.flush() }
      func idle() throws { try sender.receive { _, _ in } }
    }
    let peer = try Socket.udp()
    let sender = try DatagramSender(policy: policy)
    var work = Work(sender: sender, lane: try sender.open(to: peer.endpoint))
    let clock = SystemMonotonicClock()
    var pacer = Pacer(clock: clock, stop: StopFlag())
    let start = clock.now()
    #expect(try pacer.run(&work) == .done)
    // However busy the machine: late is possible, early is not.
    #expect(clock.now() - start >= 19_000_000)
    for number in 0..<20 { #expect(try peer.receive().bytes == [UInt8(number)]) }
    #expect(pacer.lateness.summary.count == 20)
  }
}

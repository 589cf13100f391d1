import TelecapImpairment
import TelecapLoop
import TelecapRecording
import Testing

@Suite struct NetworkTests {
  private func carriedOut(_ plan: [PlanLine], _ packets: [Int: (bytes: [UInt8], sentAt: Timestamp)]) -> [String] {
    var lines: [String] = []
    Network.carryOut(plan, of: { packets[$0] }) { delivery, bytes in
      lines.append("\(delivery.due): \(delivery.packet).\(delivery.copy) \(bytes)")
    }
    return lines
  }

  @Test("Copies arrive when they are due, and dropped packets never")
  func copiesComeWhenTheyAreDueAndDroppedOnesNever() {
    let packets: [Int: (bytes: [UInt8], sentAt: Timestamp)] = [
      1: ([1], at(0)), 2: ([2], at(10)), 3: ([3], at(20)), 4: ([4], at(30)),
    ]
    let plan: [PlanLine] = [
      .deliver(1, due: InlineList(25)), .drop(2, by: .loss), .deliver(3, due: InlineList(20, 25)),
      .deliver(4, due: InlineList(30)),
    ]
    #expect(carriedOut(plan, packets) == ["20: 3.0 [3]", "25: 1.0 [1]", "25: 3.1 [3]", "30: 4.0 [4]"])
  }

  @Test("Bits are flipped in every copy, and bits after the end are ignored")
  func bitsAreFlippedInEveryCopyAndThoseBehindTheEndAreNone() {
    let plan: [PlanLine] = [
      .deliver(1, due: InlineList(0, 1), flips: InlineList(0, 15)),
      .deliver(2, due: InlineList(2), flips: InlineList(8)),
    ]
    #expect(
      carriedOut(plan, [1: ([0, 0], at(0)), 2: ([7], at(0))])
        == ["0: 1.0 [128, 1]", "1: 1.1 [128, 1]", "2: 2.0 [7]"])
  }

  @Test("Nothing arrives before it was sent, and a plan line without a packet is ignored")
  func nothingComesBeforeItWasSentAndALineWithoutAPacketIsPassedOver() {
    let plan: [PlanLine] = [.deliver(1, due: InlineList(3)), .deliver(9, due: InlineList(4))]
    #expect(carriedOut(plan, [1: ([1], at(10))]) == ["10: 1.0 [1]"])
  }

  @Test("The packet itself is not changed")
  func thePacketItselfIsNotChanged() {
    var network = Network()
    let bytes: [UInt8] = [0xff]
    network.carryOut(.deliver(1, due: InlineList(0), flips: InlineList(7)), sentAt: 0) { _ in }
    network.pass(bytes.span.bytes, Delivery(due: 0, packet: 1, flips: InlineList(7))) { changed in
      #expect(changed.withUnsafeBytes { Array($0) } == [0xfe])
    }
    #expect(bytes == [0xff])
  }
}

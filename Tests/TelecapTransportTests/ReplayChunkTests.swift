import TelecapLoop
import TelecapRecording
import Testing

@testable import TelecapTransport

@Suite("Packets in flight between two threads")
struct ReplayChunkTests {
  private func packet(_ number: Int) -> ReplayPacket {
    ReplayPacket(number: number, flow: 0, carrier: .udp, sentAt: 0)
  }

  @Test("Stored bytes stay unchanged while the memory grows, also when the chunk is used again")
  func growth() {
    let chunk = ReplayChunk()
    for round in 0..<2 {
      chunk.clear(number: 3 + round)
      let sizes = [0, 1, 1_400, 65_507, 65_507, 65_507, 70_000]
      for (place, size) in sizes.enumerated() {
        let bytes = [UInt8](repeating: UInt8(place + round), count: size)
        #expect(chunk.add(packet(place), pieces: [], bytes.span.bytes) == (3 + round) << 9 | place)
      }
      #expect(chunk.isFull && chunk.count == sizes.count)
      for (place, size) in sizes.enumerated() {
        #expect(chunk.packet(place).number == place)
        #expect(Array(chunk.bytes(place)) == [UInt8](repeating: UInt8(place + round), count: size))
      }
    }
  }

  @Test("A chunk is found by the addresses of its packets until it is released, in any order")
  func use() throws {
    var chunks = ChunksInUse()
    let all = (0..<4).map { number in
      let chunk = ReplayChunk()
      chunk.clear(number: number)
      return chunk
    }
    for chunk in all { _ = chunks.append(chunk) }
    func number(_ address: Int) -> Int? { chunks[address]?._withUnsafeGuaranteedRef { $0.number } }
    #expect((0..<4).map { number($0 << 9 | 511) } == [0, 1, 2, 3] && number(4 << 9) == nil)
    #expect(chunks.remove(1) === all[1])
    #expect((0..<4).map { number($0 << 9) } == [0, nil, 2, 3])
    #expect(chunks.remove(0) === all[0])
    #expect((0..<4).map { number($0 << 9) } == [nil, nil, 2, 3])
    #expect(chunks.remove(3) === all[3] && chunks.remove(2) === all[2])
    #expect((0..<4).map { number($0 << 9) } == [nil, nil, nil, nil])
    let next = ReplayChunk()
    next.clear(number: 4)
    _ = chunks.append(next)
    #expect(number(4 << 9 | 7) == 4)
  }
}

import TelecapRecording
import Testing

@testable import TelecapConformance

/// TCP streams in pieces: their bytes keep their order, however long the pieces take.
@Suite struct StreamCutterTests {
  private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }

  /// What a peer does on its connection, in order of time, with the bytes of its pieces joined.
  private func stream(of peer: PeerName, _ actions: [Action]) -> [String] {
    var done: [String] = []
    for action in actions.sorted(by: { $0.time < $1.time }) where action.peer == peer {
      guard case .send(let bytes, _) = action.work else {
        done.append("\(action.work)")
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if done.last?.hasPrefix("bytes ") == true { done[done.count - 1] += text } else { done.append("bytes " + text) }
    }
    return done
  }

  private func send(_ text: String, by peer: PeerName = "a", _ milliseconds: Int64) -> Action {
    Action(time: at(milliseconds), peer: peer, work: .send(Array(text.utf8), over: .tcp), packet: 1)
  }

  @Test("A message waits for the pieces of the one before, and the end of the connection for both")
  func keepsOrder() {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let actions = [
      Action(time: at(0), peer: "a", work: .open), send(letters, 0), send(letters.uppercased(), 1),
      send("123", by: "b", 1), Action(time: at(2), peer: "a", work: .close),
      Action(time: at(2), peer: "b", work: .close),
    ]
    let cut = StreamCutter.cut(actions, into: 1)
    #expect(stream(of: "a", cut) == ["open", "bytes \(letters)\(letters.uppercased())", "close"])
    #expect(stream(of: "b", cut) == ["bytes 123", "close"])
    // The other peer waits for nobody.
    #expect(cut.last { $0.peer == "b" }?.time == at(2))
    #expect(cut.last { $0.peer == "a" }?.time == Timestamp(nanoseconds: 52 * StreamCutter.gap))
    // Each piece has the time at which its message was due on a perfect network.
    #expect(Set(cut.filter { $0.peer == "a" && $0.isSend }.map(\.sentAt)) == [at(0), at(1)])
  }

  @Test("Actions that do not overlap keep their times")
  func keepsTimes() {
    let actions = [send("abcdef", 0), send("ghi", 2), Action(time: at(2), peer: "a", work: .close)]
    let cut = StreamCutter.cut(actions, into: 3)
    #expect(cut.map(\.time) == [at(0), Timestamp(nanoseconds: StreamCutter.gap), at(2), at(2)])
  }
}

import TelecapRecording

extension Script {
  /// The script with a system's own code in place of the scenario's. A datagram contains it whole; a byte stream may
  /// split it, so its segments are joined.
  public func replacingCode(with code: String) -> Script {
    let old = Array(setup.code.utf8)
    let new = Array(code.utf8)
    guard old != new, old.count == new.count, !old.isEmpty else { return self }
    var script = self
    CodeReplacement.replace(old, new, in: &script.actions)
    CodeReplacement.replace(old, new, in: &script.meant)
    script.setup.code = code
    return script
  }
}

private enum CodeReplacement {
  static func replace(_ old: [UInt8], _ new: [UInt8], in actions: inout [Action]) {
    var streams: [PeerName: [(action: Int, byte: Int)]] = [:]
    for index in actions.indices {
      switch actions[index].work {
      case .send(let bytes, .tcp):
        streams[actions[index].peer, default: []] += bytes.indices.map { (index, $0) }
      case .send(var bytes, let carrier):
        for place in places(of: old, in: bytes) { bytes.replaceSubrange(place..<place + old.count, with: new) }
        actions[index].work = .send(bytes, over: carrier)
      case .open, .close, .reset, .endSession, .ask: continue
      }
    }
    for bytes in streams.values { replace(old, new, in: &actions, at: bytes) }
  }

  /// Replaces bytes in one byte stream with known positions.
  private static func replace(
    _ old: [UInt8], _ new: [UInt8], in actions: inout [Action], at stream: [(action: Int, byte: Int)]
  ) {
    let whole = stream.map { place -> UInt8 in
      guard case .send(let bytes, _) = actions[place.action].work else { return 0 }
      return bytes[place.byte]
    }
    for start in places(of: old, in: whole) {
      for offset in old.indices {
        let place = stream[start + offset]
        guard case .send(var bytes, let carrier) = actions[place.action].work else { continue }
        bytes[place.byte] = new[offset]
        actions[place.action].work = .send(bytes, over: carrier)
      }
    }
  }

  private static func places(of word: [UInt8], in bytes: [UInt8]) -> [Int] {
    guard bytes.count >= word.count else { return [] }
    return (0...bytes.count - word.count).filter { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
  }
}

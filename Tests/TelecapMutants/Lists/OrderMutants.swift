import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Which pose is the newest, decided in another way: each stream that has an order.
enum OrderMutants {
  /// Those of an end of a wire that receives poses.
  static func all(of wire: Wire) -> [Sketch] {
    wire.received.flatMap { kind -> [Sketch] in
      guard let row = kind.numbering?.order else { return [] }
      let place = "\(kind.name).\(row.name)"
      return comparisons(place) + memories(place, wire) + resets(place, wire)
    }
  }

  /// Whether a pose is newer than the newest, where it is not the first.
  private typealias Compare = @Sendable (UInt16, UInt16) -> Bool

  private static func comparisons(_ place: String) -> [Sketch] {
    func window(_ name: String, _ op: Operator, _ range: ClosedRange<UInt16>) -> Sketch {
      deciding("\(place)/\(name)", op) { range.contains($0 &- $1) }
    }
    return [
      deciding("\(place)/as-it-comes", .comparison) { _, _ in true },
      deciding("\(place)/any-other", .comparison) { $0 != $1 },
      deciding("\(place)/greater", .comparison) { $0 > $1 },
      deciding("\(place)/greater-or-same", .comparison) { $0 >= $1 },
      deciding("\(place)/newer-or-same", .comparison) { (0...32_767).contains($0 &- $1) },
      deciding("\(place)/greater-as-int16", .comparison) { Int16(bitPattern: $0) > Int16(bitPattern: $1) },
      deciding("\(place)/low-byte", .cut) { (1...127).contains(UInt8($0 & 0xff) &- UInt8($1 & 0xff)) },
      deciding("\(place)/low-15-bits", .cut) { (1...16_383).contains(($0 &- $1) & 0x7fff) },
      deciding("\(place)/high-byte", .cut) { (1...127).contains(UInt8($0 >> 8) &- UInt8($1 >> 8)) },
      deciding("\(place)/bytes-swapped", .byteOrder) { (1...32_767).contains($0.byteSwapped &- $1.byteSwapped) },
      deciding("\(place)/older", .comparison) { (32_769...65_535).contains($0 &- $1) },
      deciding("\(place)/never-after-first", .comparison) { _, _ in false },
      window("next-only", .bound, 1...1), window("from-2", .bound, 2...32_767), window("to-32766", .bound, 1...32_766),
      window("to-32768", .bound, 1...32_768), window("to-32769", .bound, 1...32_769),
      window("to-16383", .bound, 1...16_383),
      window("to-16384", .bound, 1...16_384), window("to-24575", .bound, 1...24_575),
      window("to-40959", .bound, 1...40_959),
      window("to-49151", .bound, 1...49_151), window("to-65534", .bound, 1...65_534), window("to-255", .bound, 1...255),
      window("to-1000", .bound, 1...1_000), window("to-100", .bound, 1...100), window("to-10", .bound, 1...10),
    ]
  }

  /// The number that is remembered as the newest.
  private static func memories(_ place: String, _ wire: Wire) -> [Sketch] {
    [
      order("\(place)/newest-is-last-received", .reset) { pose, newest, isNewer in
        newest = pose.seq
        return isNewer
      },
      order("\(place)/newest-is-greatest", .reset) { pose, newest, isNewer in
        newest = max(newest ?? 0, pose.seq)
        return isNewer
      },
      order("\(place)/newest-is-first", .reset) { pose, newest, isNewer in
        newest = newest ?? pose.seq
        return isNewer
      },
      order("\(place)/newest-is-one-more", .step) { pose, newest, isNewer in
        if isNewer { newest = pose.seq &+ 1 }
        return isNewer
      },
      order("\(place)/newest-is-one-less", .step) { pose, newest, isNewer in
        if isNewer { newest = pose.seq &- 1 }
        return isNewer
      },
      order("\(place)/not-finite-counts", .reset, countsNotFinite: true) { pose, newest, isNewer in
        if isNewer { newest = pose.seq }
        return isNewer
      },
    ]
  }

  /// Begun afresh where it should not be, or not where it should.
  private static func resets(_ place: String, _ wire: Wire) -> [Sketch] {
    let forgets = Trigger.all(of: wire).filter { $0.name != "open" && $0.name != "close" }.map { trigger in
      order("\(place)/begun-afresh-after-\(trigger.name)", .reset, afresh: trigger) { pose, newest, isNewer in
        if isNewer { newest = pose.seq }
        return isNewer
      }
    }
    let keeps = order("\(place)/kept-over-sessions", .reset, keeps: { _, _ in true }) { pose, newest, isNewer in
      if isNewer { newest = pose.seq }
      return isNewer
    }
    let keepsOfSame = order(
      "\(place)/kept-over-sessions-of-one-client", .reset, keeps: { memory, client in memory.peers.first == client }
    ) { pose, newest, isNewer in
      if isNewer { newest = pose.seq }
      return isNewer
    }
    return forgets + [keeps, keepsOfSame]
  }

  private static func deciding(_ name: String, _ kind: Operator, _ isNewer: @escaping Compare) -> Sketch {
    order(name, kind) { pose, newest, _ in
      guard newest.map({ isNewer(pose.seq, $0) }) ?? true else { return false }
      newest = pose.seq
      return true
    }
  }

  /// Decides in its own way which poses are applied. `decide` returns whether one is, and keeps the newest; its last
  /// argument is whether the pose is newer by the rules than the kept one.
  private static func order(
    _ name: String, _ kind: Operator, afresh: Trigger? = nil, countsNotFinite: Bool = false,
    keeps: @escaping @Sendable (Memory, Endpoint) -> Bool = { _, _ in false },
    _ decide: @escaping @Sendable (PoseSample, inout UInt16?, Bool) -> Bool
  ) -> Sketch {
    Sketch.showing(name, kind) { event, memory in
      var newest = memory.number.map { UInt16(truncatingIfNeeded: $0) }
      defer {
        if let afresh, afresh.matches(event) { newest = nil }
        memory.number = newest.map(UInt64.init)
      }
      switch event {
      case .sessionOpened(let client, _):
        if !keeps(memory, client) { newest = nil }
      case .dropped(let value, .notFinite):
        if countsNotFinite, let pose = PoseSample(value),
          newest.map({ SerialNumber.isNewer(pose.seq, than: $0) }) ?? true
        {
          newest = pose.seq
        }
      case .applied(let value), .dropped(let value, _):
        guard let pose = PoseSample(value) else { return [event] }
        let isNewer = newest.map { SerialNumber.isNewer(pose.seq, than: $0) } ?? true
        return [decide(pose, &newest, isNewer) ? .poseApplied(pose) : .poseDropped(pose, .stale)]
      default: break
      }
      return [event]
    }
  }
}

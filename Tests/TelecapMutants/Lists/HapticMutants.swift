import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// The strength that a phone plays for an intensity, decided in another way: the bounds of the stream's range, NaN and
/// infinities, small numbers, and impacts.
enum HapticMutants {
  static let all: [Sketch] = bounds + strengths + impacts + state

  private static let range: ClosedRange<Float> = {
    let rules = Tele.wire.streams.first { $0.message == Haptic.layout.name }?.range ?? 0...1
    return Float(rules.lowerBound)...Float(rules.upperBound)
  }()

  /// The strength of an intensity; nil plays nothing new.
  private static func playing(
    _ name: String, _ kind: Operator, _ strength: @escaping @Sendable (Float) -> Float?
  ) -> Sketch {
    Sketch.showing("strength/\(name)", kind) { event, memory in
      switch event {
      case .received(let value): memory.values = value.strength.map { [Double($0)] } ?? []
      case .applied where event.appliedStrength != nil:
        guard let value = memory.values.last else { return [event] }
        // The right model turns its motor off by itself only after an event with the reason.
        memory.values = []
        return strength(Float(value)).map { [.hapticApplied($0)] } ?? []
      default: break
      }
      return [event]
    }
  }

  private static func held(_ value: Float, _ low: Float, _ high: Float) -> Float {
    value > low ? min(value, high) : low
  }

  private static let bounds: [Sketch] = {
    let (low, high) = (range.lowerBound, range.upperBound)
    let steps: [(String, Float)] = [("step", 0.05), ("ulp", 0)]
    return steps.flatMap { name, step in
      let highs = step == 0 ? (high.nextDown, high.nextUp) : (high - step, high + step)
      let lows = step == 0 ? (low.nextDown, low.nextUp) : (low - step, low + step)
      return [
        playing("upper-bound-\(name)-less", .bound) { held($0, low, highs.0) },
        playing("upper-bound-\(name)-more", .bound) { held($0, low, highs.1) },
        playing("lower-bound-\(name)-less", .bound) { held($0, lows.0, high) },
        playing("lower-bound-\(name)-more", .bound) { held($0, lows.1, high) },
        playing("below-\(name)-is-0", .bound) { $0 > lows.1 ? held($0, low, high) : 0 },
      ]
    } + [
      playing("not-held", .bound) { $0.isNaN ? 0 : $0 }, playing("not-held-high", .bound) { $0 > low ? $0 : low },
      playing("not-held-low", .bound) { $0.isNaN ? 0 : min($0, high) },
      playing("high-wraps", .bound) { $0.isFinite ? held($0, low, 1e9).truncatingRemainder(dividingBy: 1.000_001) : 0 },
      playing("high-is-off", .bound) { $0 > high ? 0 : held($0, low, high) },
      playing("high-not-played", .strictness) { $0 > high ? nil : held($0, low, high) },
      playing("low-not-played", .strictness) { $0 < low ? nil : held($0, low, high) },
      playing("low-as-magnitude", .scaled) { $0.isNaN ? 0 : min($0.magnitude, high) },
      playing("held-to-half", .bound) { held($0, low, 0.5) }, playing("held-to-ten", .bound) { held($0, low, 10) },
    ]
  }()

  private static let strengths: [Sketch] = {
    @Sendable func right(_ value: Float) -> Float { HapticStrength.clamped(value) }
    return [
      playing("nan-is-1", .condition) { $0.isNaN ? 1 : right($0) },
      playing("nan-is-half", .condition) { $0.isNaN ? 0.5 : right($0) },
      playing("nan-is-nan", .condition) { $0.isNaN ? .nan : right($0) },
      playing("infinity-is-0", .condition) { $0 == .infinity ? 0 : right($0) },
      playing("infinity-is-infinity", .condition) { $0 == .infinity ? .infinity : right($0) },
      playing("infinity-is-half", .condition) { $0 == .infinity ? 0.5 : right($0) },
      playing("minus-infinity-is-1", .condition) { $0 == -.infinity ? 1 : right($0) },
      playing("minus-infinity-is-minus-infinity", .condition) { $0 == -.infinity ? -.infinity : right($0) },
      playing("zero-not-played", .event) { $0 == 0 ? nil : right($0) },
      playing("one-not-played", .event) { $0 == 1 ? nil : right($0) },
      playing("not-in-between", .cut) { right($0) > 0.5 ? 1 : 0 },
      playing("in-256-steps", .cut) { (right($0) * 255).rounded() / 255 },
      playing("in-10-steps", .cut) { (right($0) * 10).rounded() / 10 },
      playing("small-is-0", .bound) { right($0) < 0.05 ? 0 : right($0) },
      playing("at-least-a-tenth", .bound) { right($0) == 0 ? 0 : max(0.1, right($0)) },
      playing("half", .scaled) { right($0) / 2 }, playing("squared", .scaled) { right($0) * right($0) },
      playing("turned-over", .scaled) { 1 - right($0) },
      playing("subnormal-is-0", .bound) { $0.isSubnormal ? 0 : right($0) },
      playing("a-step-above-1-is-0", .bound) { $0 > 1 && $0 < 1.000_001 ? 0 : right($0) },
      playing("a-step-below-0-is-1", .bound) { $0 < 0 && $0.isSubnormal ? 1 : right($0) },
    ]
  }()

  /// The state that is kept from one value to the next.
  private static let state: [Sketch] = [
    Sketch.showing("strength/zero-not-played-after-weak", .comparison) { event, memory in
      guard let strength = event.appliedStrength, memory.client != nil else { return [event] }
      defer { memory.values = [Double(strength)] }
      let isWeak = memory.values.first.map { $0 > 0 && $0 < 0.02 } ?? false
      return strength == 0 && isWeak ? [] : [event]
    },
    Sketch.showing("strength/only-stronger", .comparison) { event, memory in
      guard let strength = event.appliedStrength, memory.client != nil else { return [event] }
      defer { memory.values = [max(Double(strength), memory.values.first ?? 0)] }
      return Double(strength) >= memory.values.first ?? 0 ? [event] : []
    },
    Sketch.showing("strength/average-of-two", .reset) { event, memory in
      guard let strength = event.appliedStrength, memory.client != nil else { return [event] }
      defer { memory.values = [Double(strength)] }
      return [.hapticApplied((strength + Float(memory.values.first ?? Double(strength))) / 2)]
    },
    Sketch(
      "shown/strength/queued", .late,
      Mutation(shows: { event, memory in
        guard event.appliedStrength != nil else { return [.show(event)] }
        let now = memory.time.nanoseconds
        let due = max(now, Int64(memory.number ?? 0))
        memory.number = UInt64(due + 60_000_000)
        return [.show(event, after: due - now)]
      })),
    Sketch(
      "shown/strength/forgotten-after-half-a-second", .timer,
      Mutation(shows: { event, memory in
        guard let strength = event.appliedStrength, strength != 0 else { return [.show(event)] }
        memory.count += 1
        let mine = memory.count
        var off = ActionBinding.show(.hapticApplied(0), after: 500_000_000)
        off.condition = { $0.count == mine }
        return [.show(event), off]
      })),
  ]

  private static let impacts: [Sketch] = {
    let borders: [Float] = [0.1, 0.4, 0.7]
    @Sendable func impact(_ value: Float, _ borders: [Float], orSame: Bool = false) -> HapticImpact? {
      let strength = HapticStrength.clamped(value)
      let count = borders.count { orSame ? strength >= $0 : strength > $0 }
      return count == 0 ? nil : HapticImpact.allCases[count - 1]
    }
    func playing(_ name: String, _ kind: Operator, _ choose: @escaping @Sendable (Float) -> HapticImpact?) -> Sketch {
      Sketch.showing("impact/\(name)", kind) { event, memory in
        switch event {
        case .received(let value):
          guard memory.setup.playsImpacts, let intensity = value.strength else { return [event] }
          return [event] + (choose(intensity).map { [.hapticImpact($0)] } ?? [])
        default: return event.impact == nil ? [event] : []
        }
      }
    }
    let moved = borders.indices.flatMap { index in
      [("less", -0.05), ("more", 0.05)].map { (name: String, step: Float) in
        playing("border-\(index + 1)-\(name)", .bound) { value in
          var moved = borders
          moved[index] += step
          return impact(value, moved)
        }
      }
    }
    let same = playing("borders-to-the-stronger", .comparison) { impact($0, borders, orSame: true) }
    let others = HapticImpact.allCases.flatMap { from in
      (HapticImpact.allCases.filter { $0 != from } + [nil]).map { to in
        playing("\(from.rawValue)-as-\(to?.rawValue ?? "nothing")", .code) { value in
          let right = impact(value, borders)
          return right == from ? to : right
        }
      }
    }
    return moved + [same] + others
  }()
}

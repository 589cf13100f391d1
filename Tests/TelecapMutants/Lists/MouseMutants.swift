import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapWire

/// The mutants that only the mouse has: a pointer that adds up, edges, buttons, and movements that are split.
enum MouseMutants {
  /// Those of an end of a wire; what hangs on no carrier is made once, for UDP.
  static func all(of wire: Wire) -> [Sketch] {
    switch (wire.model.part.name, wire.carrier) {
    case ("mouse-host", .udp?): pointers + edges + buttonsKept + resets(wire)
    case ("mouse", .udp?): asked + splits
    default: []
    }
  }

  // MARK: - Pointer

  /// Adds up anew where the pointer is: the change says where it goes from there.
  private static func adding(
    _ name: String, _ kind: Operator,
    _ move: @escaping @Sendable (PointerPosition, MouseSample, Carrier, ScreenSize) -> PointerPosition
  ) -> Sketch {
    Sketch.showing("pointer/\(name)", kind) { event, memory in
      if event.pointer != nil { return [] }
      guard let (carrier, sample) = event.receivedPacket else { return [event] }
      let screen = ScreenSize.standard
      let at = place(memory)
      let next = move(at, sample, carrier, screen)
      memory.values = [Double(next.x), Double(next.y)]
      return next == at ? [event] : [event, .pointer(next)]
    }
  }

  private static func place(_ memory: Memory) -> PointerPosition {
    guard memory.values.count == 2 else { return ScreenSize.standard.centre }
    return PointerPosition(x: Int(memory.values[0]), y: Int(memory.values[1]))
  }

  private static func right(_ at: PointerPosition, _ x: Int, _ y: Int, _ screen: ScreenSize) -> PointerPosition {
    screen.nearest(x: at.x + x, y: at.y + y)
  }

  private static let pointers: [Sketch] = {
    func by(_ name: String, _ kind: Operator, _ change: @escaping @Sendable (MouseSample, Carrier) -> (Int, Int))
      -> Sketch
    {
      adding(name, kind) { at, sample, carrier, screen in
        let (x, y) = change(sample, carrier)
        return right(at, x, y, screen)
      }
    }
    @Sendable func both(_ sample: MouseSample) -> (Int, Int) { (Int(sample.deltaX), Int(sample.deltaY)) }
    return [
      by("scroll-moves-down", .condition) { sample, _ in (Int(sample.deltaX), Int(sample.deltaY) + Int(sample.scroll))
      },
      by("scroll-moves-right", .condition) { sample, _ in (Int(sample.deltaX) + Int(sample.scroll), Int(sample.deltaY))
      },
      by("not-while-scrolling", .strictness) { sample, _ in sample.scroll == 0 ? both(sample) : (0, 0) },
      by("not-while-pressed", .strictness) { sample, _ in sample.buttons & 7 == 0 ? both(sample) : (0, 0) },
      by("not-with-reserved-bits", .strictness) { sample, _ in sample.buttons & ~7 == 0 ? both(sample) : (0, 0) },
      by("control-does-not-move", .condition) { sample, carrier in carrier == .tcp ? (0, 0) : both(sample) },
      by("small-ignored", .bound) { sample, _ in
        abs(Int(sample.deltaX)) + abs(Int(sample.deltaY)) < 2 ? (0, 0) : both(sample)
      },
      by("large-ignored", .bound) { sample, _ in abs(Int(sample.deltaX)) > 100 ? (0, 0) : both(sample) },
      by("large-down-ignored", .bound) { sample, _ in abs(Int(sample.deltaY)) > 100 ? (0, 0) : both(sample) },
      by("one-axis-at-a-time", .condition) { sample, _ in
        abs(Int(sample.deltaX)) >= abs(Int(sample.deltaY)) ? (Int(sample.deltaX), 0) : (0, Int(sample.deltaY))
      },
      by("accelerated", .scaled) { sample, _ in
        let (x, y) = both(sample)
        return abs(x) + abs(y) > 20 ? (x * 3 / 2, y * 3 / 2) : (x, y)
      },
      by("held-to-126", .bound) { sample, _ in
        (max(-126, min(126, Int(sample.deltaX))), max(-126, min(126, Int(sample.deltaY))))
      },
      by("held-to-100", .bound) { sample, _ in
        (max(-100, min(100, Int(sample.deltaX))), max(-100, min(100, Int(sample.deltaY))))
      },
      by("right-as-far-as-up-ignored", .bound) { sample, _ in
        (32..<127).contains(sample.deltaX) && sample.deltaY == -sample.deltaX ? (0, 0) : both(sample)
      },
      by("minus-128-ignored", .strictness) { sample, _ in
        sample.deltaX == .min || sample.deltaY == .min ? (0, 0) : both(sample)
      },
    ]
  }()

  private static let edges: [Sketch] = {
    let names = ["left", "right", "top", "bottom"]
    return names.indices.flatMap { edge -> [Sketch] in
      /// The four bounds with one moved, or none there.
      @Sendable func bounds(_ screen: ScreenSize, _ moved: Int?) -> [Int] {
        var bounds = [0, screen.width - 1, 0, screen.height - 1]
        let outwards = edge % 2 == 0 ? -1 : 1
        bounds[edge] = moved.map { bounds[edge] + outwards * $0 } ?? outwards * 1_000_000
        return bounds
      }
      func moved(_ name: String, _ kind: Operator, _ step: Int?) -> Sketch {
        adding("\(names[edge])-edge-\(name)", kind) { at, sample, _, screen in
          let bounds = bounds(screen, step)
          return PointerPosition(
            x: max(bounds[0], min(bounds[1], at.x + Int(sample.deltaX))),
            y: max(bounds[2], min(bounds[3], at.y + Int(sample.deltaY))))
        }
      }
      let wraps = adding("\(names[edge])-edge-wraps", .bound) { at, sample, _, screen in
        let (x, y) = (at.x + Int(sample.deltaX), at.y + Int(sample.deltaY))
        let isBeyond = [x < 0, x >= screen.width, y < 0, y >= screen.height][edge]
        let nearest = screen.nearest(x: x, y: y)
        guard isBeyond else { return nearest }
        return edge < 2
          ? PointerPosition(x: screen.width - 1 - nearest.x, y: nearest.y)
          : PointerPosition(x: nearest.x, y: screen.height - 1 - nearest.y)
      }
      let refuses = adding("\(names[edge])-edge-refuses", .bound) { at, sample, _, screen in
        let (x, y) = (at.x + Int(sample.deltaX), at.y + Int(sample.deltaY))
        let isBeyond = [x < 0, x >= screen.width, y < 0, y >= screen.height][edge]
        return isBeyond ? at : screen.nearest(x: x, y: y)
      }
      let remembers = Sketch.showing("pointer/\(names[edge])-edge-remembers", .reset) { event, memory in
        if event.pointer != nil { return [] }
        guard let sample = event.receivedPacket?.sample else { return [event] }
        let screen = ScreenSize.standard
        let before = place(memory)
        var at = PointerPosition(x: before.x + Int(sample.deltaX), y: before.y + Int(sample.deltaY))
        let nearest = screen.nearest(x: at.x, y: at.y)
        // Only beyond this edge.
        if edge != 0 { at.x = max(0, at.x) }
        if edge != 1 { at.x = min(screen.width - 1, at.x) }
        if edge != 2 { at.y = max(0, at.y) }
        if edge != 3 { at.y = min(screen.height - 1, at.y) }
        memory.values = [Double(at.x), Double(at.y)]
        return nearest == screen.nearest(x: before.x, y: before.y) ? [event] : [event, .pointer(nearest)]
      }
      return [
        moved("a-step-later", .bound, 1), moved("a-step-earlier", .bound, -1), moved("ten-steps-earlier", .bound, -10),
        moved("not-there", .bound, nil), wraps, refuses, remembers,
      ]
    }
  }()

  private static func resets(_ wire: Wire) -> [Sketch] {
    Trigger.all(of: wire).flatMap { trigger in
      [
        Sketch.showing("pointer/back-to-centre-after-\(trigger.name)", .reset) { event, _ in
          trigger.matches(event) ? [event, .pointer(ScreenSize.standard.centre)] : [event]
        },
        Sketch.showing("buttons/released-after-\(trigger.name)", .reset) { event, memory in
          if let bitmap = event.buttons { memory.number = UInt64(bitmap) }
          let isDown = (memory.number ?? 0) != 0
          return trigger.matches(event) && isDown ? [event, .buttons(0)] : [event]
        },
      ]
    }
  }

  // MARK: - Buttons

  private static func pressing(
    _ name: String, _ kind: Operator, _ bitmap: @escaping @Sendable (UInt8, MouseSample, Carrier) -> UInt8
  ) -> Sketch {
    Sketch.showing("buttons/\(name)", kind) { event, memory in
      if event.buttons != nil { return [] }
      guard let (carrier, sample) = event.receivedPacket else { return [event] }
      let before = UInt8(truncatingIfNeeded: memory.number ?? 0)
      let next = bitmap(before, sample, carrier)
      memory.number = UInt64(next)
      return next == before ? [event] : [event, .buttons(next)]
    }
  }

  private static let buttonsKept: [Sketch] = {
    let unmasked = (3..<8).map { bit in
      pressing("bit-\(bit)-counts", .condition) { _, sample, _ in sample.buttons & (7 | 1 << UInt8(bit)) }
    }
    let lost = (0..<3).map { bit in
      pressing("bit-\(bit)-lost", .ignored) { _, sample, _ in sample.buttons & 7 & ~(1 << UInt8(bit)) }
    }
    let sticky = (0..<3).map { bit in
      pressing("bit-\(bit)-stays", .reset) { before, sample, _ in sample.buttons & 7 | before & 1 << UInt8(bit) }
    }
    let fourth = Sketch.showing("buttons/fourth-release-over-tcp-lost", .lost) { event, memory in
      guard let (carrier, sample) = event.receivedPacket else {
        if event.buttons != nil { return [] }
        return [event]
      }
      let (before, next) = (memory.number ?? 0, UInt64(sample.buttons & 7))
      if carrier == .tcp, next == 0, before != 0 { memory.count += 1 }
      if carrier == .tcp, next == 0, memory.count == 4 { return [event] }
      memory.number = next
      return next == before ? [event] : [event, .buttons(UInt8(next))]
    }
    return unmasked + lost + sticky + [
      fourth,
      pressing("all-bits-count", .condition) { _, sample, _ in sample.buttons },
      pressing("first-of-several", .cut) { _, sample, _ in sample.buttons & 7 & (0 &- (sample.buttons & 7)) },
      pressing("left-right-swapped", .swapped) { _, sample, _ in
        sample.buttons & 4 | (sample.buttons & 1) << 1 | (sample.buttons & 2) >> 1
      },
      pressing("right-middle-swapped", .swapped) { _, sample, _ in
        sample.buttons & 1 | (sample.buttons & 2) << 1 | (sample.buttons & 4) >> 1
      },
      pressing("only-over-udp", .condition) { before, sample, carrier in carrier == .udp ? sample.buttons & 7 : before
      },
      pressing("only-over-tcp", .condition) { before, sample, carrier in carrier == .tcp ? sample.buttons & 7 : before
      },
      pressing("released-over-udp-only", .condition) { before, sample, carrier in
        carrier == .udp ? sample.buttons & 7 : before | sample.buttons & 7
      },
      pressing("released-over-tcp-only", .condition) { before, sample, carrier in
        carrier == .tcp ? sample.buttons & 7 : before | sample.buttons & 7
      },
      pressing("not-while-moving", .strictness) { before, sample, _ in
        sample.deltaX == 0 && sample.deltaY == 0 ? sample.buttons & 7 : before
      },
      pressing("toggle", .reset) { before, sample, _ in before ^ sample.buttons & 7 },
      pressing("reserved-refused", .strictness) { before, sample, _ in
        sample.buttons & ~7 == 0 ? sample.buttons : before
      },
    ]
  }()

  // MARK: - A mouse that sends

  private static let asked: [Sketch] = {
    func moving(
      _ name: String, _ kind: Operator,
      _ change: @escaping @Sendable (Double, Double, Double) -> (Double, Double, Double)
    ) -> Sketch {
      Sketch(
        "asked/move/\(name)", kind,
        Mutation(asks: { action, _ in
          guard case .move(let x, let y, let scroll) = action else { return [action] }
          let moved = change(x, y, scroll)
          return [.move(deltaX: moved.0, deltaY: moved.1, scroll: moved.2)]
        }))
    }
    func each(_ name: String, _ kind: Operator, _ change: @escaping @Sendable (Double) -> Double) -> [Sketch] {
      [
        moving("x-\(name)", kind) { (change($0), $1, $2) }, moving("y-\(name)", kind) { ($0, change($1), $2) },
        moving("scroll-\(name)", kind) { ($0, $1, change($2)) },
      ]
    }
    let numbers =
      each("ignored", .ignored) { _ in 0 } + each("negated", .scaled) { -$0 } + each("doubled", .scaled) { $0 * 2 }
      + each("halved", .scaled) { $0 / 2 } + each("plus-step", .step) { $0 + 1 } + each("minus-step", .step) { $0 - 1 }
      + each("rounded-down", .cut) { $0.rounded(.down) } + each("rounded-to-zero", .cut) { $0.rounded(.towardZero) }
      + each("held-to-127", .bound) { $0.isNaN ? $0 : max(-127, min(127, $0)) }
      + each("held-to-32766", .bound) { $0.isNaN ? $0 : max(-32_766, min(32_766, $0)) }
      + each("held-to-1000", .bound) { $0.isNaN ? $0 : max(-1_000, min(1_000, $0)) }
      + each("cut-to-int8", .cut) { $0.isFinite ? Double(Int8(truncatingIfNeeded: Int(max(-1e9, min(1e9, $0))))) : $0 }
      + each("cut-to-int16", .cut) {
        $0.isFinite ? Double(Int16(truncatingIfNeeded: Int(max(-1e9, min(1e9, $0))))) : $0
      }
      + each("nan-is-0", .condition) { $0.isNaN ? 0 : $0 }
      + each("infinity-is-0", .condition) { $0.isInfinite ? 0 : $0 }
      + each("infinity-is-nan", .strictness) { $0.isInfinite ? .nan : $0 }
    let swapped = [
      moving("x-y-swapped", .swapped) { ($1, $0, $2) }, moving("y-scroll-swapped", .swapped) { ($0, $2, $1) },
    ]
    let presses = [
      press("ignored", .ignored) { _ in nil },
      press("left-right-swapped", .swapped) { $0 & 4 | ($0 & 1) << 1 | ($0 & 2) >> 1 },
      press("one-only", .cut) { $0 & (0 &- $0) }, press("release-lost", .event) { $0 == 0 ? nil : $0 },
      press("doubled", .scaled) { $0 &* 2 },
    ]
    let connection = [
      Sketch(
        "asked/not-connected/sends", .condition,
        Mutation(asks: { action, memory in
          if case .connect = action { memory.isArmed = true }
          return memory.isArmed ? [action] : [.connect, action]
        })),
      Sketch(
        "asked/not-connected/sends-clicks", .condition,
        Mutation(asks: { action, memory in
          if case .connect = action { memory.isArmed = true }
          guard case .press = action, !memory.isArmed else { return [action] }
          memory.isArmed = true
          return [.connect, action]
        })),
      Sketch(
        "asked/not-connected/silent", .condition,
        Mutation(asks: { action, memory in
          if case .connect = action { memory.isArmed = true }
          return memory.isArmed ? [action] : []
        })),
      Sketch(
        "asked/not-connected/kept-for-later", .condition,
        Mutation(asks: { action, memory in
          if case .connect = action {
            memory.isArmed = true
            return [action]
              + (memory.values.isEmpty ? [] : [.move(deltaX: memory.values[0], deltaY: memory.values[1], scroll: 0)])
          }
          if !memory.isArmed, case .move(let x, let y, _) = action { memory.values = [x, y] }
          return [action]
        })),
      Sketch(
        "asked/move/nan-crashes", .crash,
        Mutation(asks: { action, memory in
          guard case .move(let x, let y, let scroll) = action, x.isNaN || y.isNaN || scroll.isNaN else {
            return [action]
          }
          memory.broke = "crashed: Double value cannot be converted to Int16 because it is NaN"
          return []
        })),
      Sketch(
        "asked/move/infinity-crashes", .crash,
        Mutation(asks: { action, memory in
          guard case .move(let x, let y, _) = action, x.isInfinite || y.isInfinite else { return [action] }
          memory.broke = "crashed: Double value cannot be converted to Int16 because it is infinite"
          return []
        })),
    ]
    return numbers + swapped + presses + connection
  }()

  private static func press(
    _ name: String, _ kind: Operator, _ change: @escaping @Sendable (UInt8) -> UInt8?
  ) -> Sketch {
    Sketch(
      "asked/press/\(name)", kind,
      Mutation(asks: { action, _ in
        guard case .press(let bitmap) = action else { return [action] }
        return change(bitmap).map { [.press($0)] } ?? []
      }))
  }

  /// The packets of one movement, of which the first is number 0.
  private static func packets(
    _ name: String, _ kind: Operator,
    _ change: @escaping @Sendable (Int, Packet) -> Packet?
  ) -> Sketch {
    Sketch(
      "out/split/\(name)", kind,
      Mutation(
        sends: { packet, memory in
          guard packet.carrier == .udp else { return [.send(packet)] }
          defer { memory.count += 1 }
          return change(memory.count, packet).map { [.send($0)] } ?? []
        },
        asks: { action, memory in
          memory.count = 0
          return [action]
        }))
  }

  private static let splits: [Sketch] = {
    let fields = MousePacket.fields
    let rows: [(String, FieldRow)] = [("x", fields.deltaX.row), ("y", fields.deltaY.row)]
    let signs = rows.flatMap { name, row -> [Sketch] in
      @Sendable func changed(_ packet: Packet, _ change: (Int8) -> Int8) -> Packet {
        let value = Int8(truncatingIfNeeded: row.bits(in: packet.bytes) ?? 0)
        return packet.with(row.with(UInt64(UInt8(bitPattern: change(value))), in: packet.bytes))
      }
      return [
        packets("\(name)-rest-lost", .lost) { $0 == 0 ? $1 : changed($1) { _ in 0 } },
        packets("\(name)-rest-negated", .scaled) { $0 == 0 ? $1 : changed($1) { -$0 } },
        packets("\(name)-rest-a-step-less", .step) { $0 == 0 ? $1 : changed($1) { $0 == 0 ? 0 : $0 - $0.signum() } },
        packets("\(name)-full-is-126", .bound) { changed($1) { $0 == 127 ? 126 : $0 } },
        packets("\(name)-full-is-minus-126", .bound) { changed($1) { $0 == -127 ? -126 : $0 } },
        packets("\(name)-full-is-minus-128", .bound) { changed($1) { $0 == -127 ? -128 : $0 } },
        packets("\(name)-first-is-0", .ignored) { $0 == 0 ? changed($1) { _ in 0 } : $1 },
      ]
    }
    let exactly = Sketch(
      "out/split/exactly-128-left-in-one", .bound,
      Mutation(
        sends: { packet, memory in
          guard packet.carrier == .udp, memory.isArmed else { return [.send(packet)] }
          defer { memory.count += 1 }
          if memory.count > 0 { return [] }
          return [.send(packet.with(fields.deltaX.row.with(0x80, in: packet.bytes)))]
        },
        asks: { action, memory in
          memory.count = 0
          if case .move(-128, 0, _) = action { memory.isArmed = true } else { memory.isArmed = false }
          return [action]
        }))
    // Two of three steps with the first packet, and one with the second.
    let halves = Sketch(
      "out/split/scroll-in-two-parts", .repeated,
      Mutation(
        sends: { packet, memory in
          guard packet.carrier == .udp else { return [.send(packet)] }
          let (scroll, isSecond) = (fields.scroll.row, memory.isArmed)
          memory.isArmed = scroll.bits(in: packet.bytes) == 3
          if memory.isArmed { return [.send(packet.with(scroll.with(2, in: packet.bytes)))] }
          return [.send(isSecond ? packet.with(scroll.with(1, in: packet.bytes)) : packet)]
        },
        asks: { action, memory in
          memory.isArmed = false
          return [action]
        }))
    return signs + [
      exactly,
      halves,
      packets("rest-lost", .lost) { $0 == 0 ? $1 : nil }, packets("second-lost", .lost) { $0 == 1 ? nil : $1 },
      packets("third-lost", .lost) { $0 == 2 ? nil : $1 }, packets("at-most-ten", .bound) { $0 < 10 ? $1 : nil },
      packets("at-most-hundred", .bound) { $0 < 100 ? $1 : nil },
      packets("at-most-256", .bound) { $0 < 256 ? $1 : nil },
      packets("buttons-once", .reset) { $0 == 0 ? $1 : $1.with(fields.buttons.row.with(0, in: $1.bytes)) },
      packets("buttons-not-in-first", .reset) { $0 > 0 ? $1 : $1.with(fields.buttons.row.with(0, in: $1.bytes)) },
      packets("buttons-left-added", .condition) { index, packet in
        packet.with(fields.buttons.row.with((fields.buttons.row.bits(in: packet.bytes) ?? 0) | 1, in: packet.bytes))
      },
      packets("scroll-in-second", .reset) { $0 == 1 ? $1.with(fields.scroll.row.with(1, in: $1.bytes)) : $1 },
      packets("scroll-minus-127-is-minus-128", .bound) { _, packet in
        fields.scroll.row.bits(in: packet.bytes) == 0x81
          ? packet.with(fields.scroll.row.with(0x80, in: packet.bytes)) : packet
      },
      packets("as-control", .code) { _, packet in
        packet.with(fields.header.row.with(UInt64(MousePacket.controlHeader), in: packet.bytes))
      },
    ]
  }()
}

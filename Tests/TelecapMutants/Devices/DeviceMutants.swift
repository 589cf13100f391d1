import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites

/// A mutant of a device before it is named in full.
struct DeviceSketch: Sendable {
  /// way/place/change.
  let name: String
  let kind: Operator
  let mutation: DeviceMutation

  init(_ name: String, _ kind: Operator, _ mutation: DeviceMutation) {
    (self.name, self.kind, self.mutation) = (name, kind, mutation)
  }
}

/// Mutants of a device: wrong set-up, wrong actions, wrong events, and its own faults on some occasions only.
enum DeviceMutants {
  /// Those of a device.
  static func all(of device: MutableDevice) -> [DeviceSketch] {
    setUp(device) + asked(device) + shown(device) + sometimes(device) + device.others
  }

  // MARK: - Set-up

  private static func setUp(_ device: MutableDevice) -> [DeviceSketch] {
    let numbers = device.setUpNumbers.map(NumberPlaces.init) + device.setUpManyNumbers
    let words = device.setUpWords.map(WordPlaces.init) + device.setUpManyWords
    return numbers.flatMap { setUp($0) } + words.flatMap { setUp($0) }
      + swaps(device.setUpNumbers).map { first, second in
        DeviceSketch(
          "set-up/\(first.name)/swapped-\(second.name)", .swapped,
          DeviceMutation(setup: { $0 = swapped(first, second, $0) }))
      }
  }

  private static func setUp(_ place: NumberPlaces<Setup>) -> [DeviceSketch] {
    // It occurs once: nothing came before.
    ValueChange.all.filter {
      $0.fits(place.fit) && ![.late, .reset].contains($0.kind) && $0.name != "first-kept"
    }.map { change in
      DeviceSketch(
        "set-up/\(place.name)/\(change.name)", change.kind,
        DeviceMutation(setup: { setup in
          var before: [Double] = []
          setup = place.each(setup) { change.of($0, place.step, &before) }
        }))
    }
  }

  private static func setUp(_ place: WordPlaces<Setup>) -> [DeviceSketch] {
    place.changes.filter { ![.late, .ignored].contains($0.kind) }.map { change in
      DeviceSketch(
        "set-up/\(place.name)/\(change.name)", change.kind,
        DeviceMutation(setup: { setup in
          var before: [String] = []
          setup = place.each(setup) { change.of($0, &before) }
        }))
    }
  }

  // MARK: - Asked

  private static func asked(_ device: MutableDevice) -> [DeviceSketch] {
    let allNumbers = device.numbers.map(NumberPlaces.init) + device.manyNumbers
    let allWords = device.words.map(WordPlaces.init) + device.manyWords
    var all: [DeviceSketch] = []
    for kind in device.asked { all += flows(kind) + lostAfter(kind, device.asked) }
    for place in allNumbers { all += numbers(place) }
    for place in allWords { all += words(place) }
    all += swaps(device.numbers).map { first, second in
      DeviceSketch(
        "asked/\(first.name)/swapped-\(second.name)", .swapped,
        DeviceMutation(asks: { action, _ in [swapped(first, second, action)] }))
    }
    return all
  }

  private static func flows(_ kind: AskedKind) -> [DeviceSketch] {
    Flow.all.filter { $0.isPrompt && !(kind.isState && $0.kind == .repeated) }.map { flow in
      DeviceSketch(
        "asked/\(kind.name)/\(flow.name)", flow.kind,
        DeviceMutation(asks: { action, memory in
          guard kind.matches(action) else { return [action] }
          memory.count += 1
          return flow.times(memory.count).map { _ in action }
        }))
    }
  }

  private static func lostAfter(_ kind: AskedKind, _ all: [AskedKind]) -> [DeviceSketch] {
    all.map { other in
      DeviceSketch(
        "asked/\(kind.name)/lost-after-\(other.name)", .lost,
        DeviceMutation(asks: { action, memory in
          defer { if other.matches(action) { memory.isArmed = true } }
          guard kind.matches(action), memory.isArmed else { return [action] }
          memory.isArmed = false
          return []
        }))
    }
  }

  private static func numbers(_ place: NumberPlaces<any UserAction>) -> [DeviceSketch] {
    ValueChange.all.filter { $0.fits(place.fit) }.map { change in
      DeviceSketch(
        "asked/\(place.name)/\(change.name)", change.kind,
        DeviceMutation(asks: { action, memory in
          [place.each(action) { change.of($0, place.step, &memory.values) }]
        }))
    }
  }

  private static func words(_ place: WordPlaces<any UserAction>) -> [DeviceSketch] {
    place.changes.map { change in
      DeviceSketch(
        "asked/\(place.name)/\(change.name)", change.kind,
        DeviceMutation(asks: { action, memory in [place.each(action) { change.of($0, &memory.words) }] }))
    }
  }

  // MARK: - Shown

  private static func shown(_ device: MutableDevice) -> [DeviceSketch] {
    guard let program = device.model.part.program else { return [] }
    return ToldKind.all(of: program, texts: device.texts).filter { device.tells($0.name) }.flatMap {
      (kind) -> [DeviceSketch] in
      let fields = kind.numbers.filter { device.tells("\(kind.name).\($0)") }
      let after = device.asked.map { lostAfter($0, kind) }
      return flows(kind) + after + numbers(kind, fields) + words(kind) + texts(kind)
    }
  }

  private static func flows(_ kind: ToldKind) -> [DeviceSketch] {
    Flow.all.map { flow in
      DeviceSketch(
        "shown/\(kind.name)/\(flow.name)", flow.kind,
        DeviceMutation(shows: { event, memory in
          guard case .told(let line) = event, kind.matches(line) else { return [DelayedEvent(event)] }
          memory.count += 1
          return flow.times(memory.count).map { DelayedEvent(event, after: $0) }
        }))
    }
  }

  private static func lostAfter(_ asked: AskedKind, _ kind: ToldKind) -> DeviceSketch {
    DeviceSketch(
      "shown/\(kind.name)/lost-after-\(asked.name)", .lost,
      DeviceMutation(
        asks: { action, memory in
          if asked.matches(action) { memory.isArmed = true }
          return [action]
        },
        shows: { event, memory in
          guard case .told(let line) = event, kind.matches(line), memory.isArmed else { return [DelayedEvent(event)] }
          memory.isArmed = false
          return []
        }))
  }

  private static func numbers(_ kind: ToldKind, _ fields: [String]) -> [DeviceSketch] {
    fields.flatMap { field in
      ValueChange.all.filter { $0.fits(ToldKind.fit(of: field)) }.map { change in
        telling("\(kind.name).\(field)/\(change.name)", change.kind, field, of: kind) { text, memory in
          guard let value = Double(text) else { return nil }
          let other = change.of(value, told, &memory.values)
          return other == value ? text : "\(other)"
        }
      }
    }
  }

  private static func words(_ kind: ToldKind) -> [DeviceSketch] {
    kind.words.flatMap { field in
      WordChange.all(of: field.words).map { change in
        telling("\(kind.name).\(field.name)/\(change.name)", change.kind, field.name, of: kind) { text, memory in
          change.of(text, &memory.words)
        }
      }
    }
  }

  private static func texts(_ kind: ToldKind) -> [DeviceSketch] {
    kind.texts.flatMap { field in
      WordChange.mixups(of: field.words).map { change in
        telling("\(kind.name).\(field.name)/\(change.name)", change.kind, field.name, of: kind) { text, memory in
          change.of(text, &memory.words)
        }
      }
    }
  }

  /// The least change of a number that a program, too, must print correctly.
  private static let told = 0.001

  private static func telling(
    _ place: String, _ op: Operator, _ field: String, of kind: ToldKind,
    _ change: @escaping @Sendable (String, inout DeviceMemory) -> String?
  ) -> DeviceSketch {
    DeviceSketch(
      "shown/\(place)", op,
      DeviceMutation(shows: { event, memory in
        guard case .told(let line) = event, kind.matches(line), let text = kind.text(field, in: line),
          let other = change(text, &memory), other != text
        else { return [DelayedEvent(event)] }
        return [DelayedEvent(.told(kind.line(line, with: field, other)))]
      }))
  }

  // MARK: - Sometimes

  private static func sometimes(_ device: MutableDevice) -> [DeviceSketch] {
    let often = device.model.faults.flatMap { fault in (Occasion.all + device.occasions).map { (fault, $0) } }
    return (often + device.rare).map { fault, occasion in
      DeviceSketch("sometimes/\(fault)/\(occasion.name)", .condition, DeviceMutation(sometimes: (fault, occasion)))
    }
  }

  // MARK: - Pairs

  /// Neighbours: of what holds numbers of one kind each with the next.
  private static func swaps<Whole>(_ places: [NumberPlace<Whole>]) -> [(NumberPlace<Whole>, NumberPlace<Whole>)] {
    zip(places, places.dropFirst()).filter { first, second in
      first.name.split(separator: ".").dropLast() == second.name.split(separator: ".").dropLast()
    }.map { ($0, $1) }
  }

  private static func swapped<Whole>(
    _ first: NumberPlace<Whole>, _ second: NumberPlace<Whole>, _ whole: Whole
  ) -> Whole {
    guard let one = first.lens.get(whole), let other = second.lens.get(whole) else { return whole }
    return second.lens.set(first.lens.set(whole, other), one)
  }
}

import TelecapConformance
import TelecapHaptics
import TelecapSuites

// The tracer of touches: mutants of its samples, of the views that it knows, and of the events that it prints.
extension MutableDevice {
  static let touch: MutableDevice = {
    var device = MutableDevice(.touch)
    let sample = Lens<Action, TouchSample> {
      ($0 as? TouchAction)?.sample
    } set: {
      TouchAction(sample: $1)
    }
    let phase = sample.then({ $0.phase }) { $0.phase = $1 }
    device.asked = TouchSample.Phase.allCases.map { one in AskedKind(name: one.rawValue) { phase.get($0) == one } }
    device.numbers = [
      NumberPlace(name: "sample.x", step: 1, fit: .size, lens: sample.then({ $0.x }) { $0.x = $1 }),
      NumberPlace(name: "sample.y", step: 1, fit: .size, lens: sample.then({ $0.y }) { $0.y = $1 }),
      NumberPlace(name: "sample.force", fit: .size, lens: sample.then({ $0.force }) { $0.force = $1 }),
      NumberPlace(
        name: "finger", fit: .name, lens: sample.then({ Double($0.finger) }) { $0.finger = Int($1) }),
    ]
    device.words = [WordPlace("phase", phase)]
    device.setUpWords = [SpacePlaces.supported]
    device.setUpManyNumbers = ViewPlaces.numbers
    device.setUpManyWords = ViewPlaces.words
    device.others = ViewPlaces.sketches
    let names = ["nobody", "ok", "heavy", "screen", "list", "panel", "label"]
    device.texts = ["handed-on.view": names, "scrolled.view": names]
    device.occasions = [
      Occasion("later-touch") { $0.asked.count { phase.get($0) == .began } > 1 },
      Occasion("second-finger") { $0.asked.last.flatMap(sample.get).map { $0.finger > 0 } ?? false },
      Occasion("pressed-before") {
        $0.asked.dropLast().contains { (sample.get($0)?.force ?? 0) > TouchTracer.threshold }
      },
      moved("left") { $1.x < $0.x }, moved("right") { $1.x > $0.x }, moved("up") { $1.y < $0.y },
      moved("down") { $1.y > $0.y },
    ]
    let slow = Occasion("slowly-far-down") { moment in
      let samples = moment.asked.suffix(2).compactMap(sample.get)
      return samples.count == 2 && samples[1].time - samples[0].time >= 50_000_000 && samples[1].y > 200
        && samples[1].phase == .stationary
    }
    let near = Occasion("near-its-beginning") { moment in
      let samples = moment.asked.compactMap(sample.get)
      guard let last = samples.last, let began = samples.last(where: { $0.phase == .began }) else { return false }
      let way = abs(last.x - began.x) + abs(last.y - began.y)
      return way > 0 && way < 3 && (100...150).contains(began.y)
    }
    device.rare = [("light-tap-activates", near), ("swallows-began", slow)]
    return device

    /// The finger has gone that way since the sample before.
    func moved(_ way: String, _ isSo: @escaping @Sendable (TouchSample, TouchSample) -> Bool) -> Occasion {
      Occasion(way) { moment in
        let samples = moment.asked.suffix(2).compactMap(sample.get)
        return samples.count == 2 && isSo(samples[0], samples[1])
      }
    }
  }()
}

/// The places at which the views on a screen are taken for others.
private enum ViewPlaces {
  static let numbers: [NumberPlaces<Setup>] = [
    number("x", step: 1, \.x), number("y", step: 1, \.y), number("width", step: 1, \.width),
    number("height", step: 1, \.height),
    NumberPlaces(name: "views.threshold", fit: .size) { setup, change in
      each(setup) { view in view.threshold = view.threshold.map(change) }
    },
  ]

  static let words: [WordPlaces<Setup>] = [
    WordPlaces(name: "views.kind", changes: WordChange.codes(of: TouchView.Kind.allCases.map(\.rawValue))) {
      setup, change in
      each(setup) { view in view.kind = TouchView.Kind(rawValue: change(view.kind.rawValue)) ?? view.kind }
    },
    WordPlaces(name: "views.texture", changes: WordChange.codes(of: TouchView.Texture.allCases.map(\.rawValue))) {
      setup, change in
      each(setup) { view in view.ownTexture = view.texture.flatMap { TouchView.Texture(rawValue: change($0.rawValue)) }
      }
    },
  ]

  static let sketches: [DeviceSketch] = [
    sketch("threshold/not-inherited", .condition) { view in view.threshold = view.threshold ?? TouchTracer.threshold },
    sketch("threshold/own-ignored", .ignored) { $0.threshold = nil },
    sketch("texture/own-ignored", .ignored) { $0.ownTexture = nil },
    sketch("texture/not-of-its-kind", .ignored) { $0.ownTexture = $0.ownTexture ?? TouchView.Texture.none },
    sketch("texture/chain-not-searched", .condition) { view in
      if view.kind == .plain { view.ownTexture = view.ownTexture ?? TouchView.Texture.none }
    },
    sketch("frame/x-is-y", .swapped) { view in (view.x, view.y) = (view.y, view.x) },
    sketch("frame/width-is-height", .swapped) { view in (view.width, view.height) = (view.height, view.width) },
    sketch("children/first-lost", .lost) { $0.children = Array($0.children.dropFirst()) },
    sketch("children/last-lost", .lost) { $0.children = Array($0.children.dropLast()) },
    sketch("children/back-to-front", .condition) { $0.children.reverse() },
    sketch("children/of-children-lost", .lost) { view in
      view.children = view.children.map { child in
        var child = child
        child.children = []
        return child
      }
    },
  ]

  private static func sketch(
    _ name: String, _ kind: Operator, _ change: @escaping @Sendable (inout TouchView) -> Void
  ) -> DeviceSketch {
    DeviceSketch("set-up/views.\(name)", kind, DeviceMutation(setup: { $0 = each($0, change) }))
  }

  private static func number(
    _ name: String, step: Double, _ path: any WritableKeyPath<TouchView, Double> & Sendable
  ) -> NumberPlaces<Setup> {
    NumberPlaces(name: "views.\(name)", step: step, fit: .size) { setup, change in
      each(setup) { view in view[keyPath: path] = change(view[keyPath: path]) }
    }
  }

  /// The set-up with each of its views changed.
  private static func each(_ setup: Setup, _ change: (inout TouchView) -> Void) -> Setup {
    var setup = setup
    setup.views = ViewTree(changed(setup.views.root, change))
    return setup
  }

  private static func changed(_ view: TouchView, _ change: (inout TouchView) -> Void) -> TouchView {
    var view = view
    change(&view)
    view.children = view.children.map { changed($0, change) }
    return view
  }
}

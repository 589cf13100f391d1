import TelecapHaptics
import TelecapRecording
import TelecapText

extension WorldEvent {
  /// `explosion`, `ring`.
  var name: String {
    switch self {
    case .explosion: "explosion"
    case .ring: "ring"
    }
  }
}

/// The perception of an event, with the same facts as text and as JSON.
extension SensedEvent {
  /// `burst, all particles`.
  func words(_ sense: Sense) -> String {
    switch sense {
    case .seen: seenWords
    case .heard: heardWords
    case .felt: feltWords
    }
  }

  private var seenWords: String {
    switch perception.seen {
    case .burst(let particles): "burst, \(particles.rawValue) particles"
    case .ring(let integrity): "ring at \(Numbers.fixed(integrity, 2))"
    }
  }

  private var heardWords: String {
    switch perception.heard {
    case .sound(let placement, let level, let player, let interrupts, let why):
      return place(placement) + "left \(Numbers.fixed(placement.left * level, 3)), right "
        + "\(Numbers.fixed(placement.right * level, 3)); \(why.words); player \(player + 1)"
        + (interrupts ? ", which breaks off its last sound" : "") + "; music \(music)\(broken(heardUntil))"
    case .tooHot(let state): return "nothing: thermal state \(state.rawValue)"
    case .interrupted: return "nothing: the audio session is interrupted"
    case .replaced: return "nothing: another sound took its player before it began"
    case nil: return ""
    }
  }

  private func place(_ placement: SoundPlacement) -> String {
    guard placement.isPlaced else { return "" }
    return "\(Numbers.fixed(placement.distance, 2)) m, azimuth \(degrees(placement.azimuth))°, elevation "
      + "\(degrees(placement.elevation))°, "
  }

  private var feltWords: String {
    switch perception.felt {
    case .pattern(let feel):
      "pattern, intensity \(Numbers.fixed(feel.intensity, 3)), sharpness \(Numbers.fixed(feel.crack, 2)) to "
        + "\(Numbers.fixed(feel.rumble, 2)); \(cause)\(broken(feltUntil))"
    case .mediumImpact: "one medium impact; low-power mode"
    case .nothing(let why): "nothing: \(why.words)"
    case .savedPower: "nothing: low-power mode came before it began"
    case nil: ""
    }
  }

  /// `; broken off at 1.200 s`.
  private func broken(_ end: Timestamp?) -> String {
    end.map { "; broken off at \(Numbers.fixed($0.seconds, 3)) s" } ?? ""
  }

  /// The sources of the strength and the sharpness.
  private var cause: String {
    guard case .explosion(let explosion) = event else { return "" }
    return "\(explosion.material.name), energy \(Numbers.fixed(explosion.energy, 2))"
  }

  private func degrees(_ radians: Double) -> String { Numbers.fixed(radians * 180 / .pi, 1) }
}

extension SensedEvent {
  /// Writes the members of an object with the action of a sense and its reason.
  func write(_ sense: Sense, to json: inout JSONWriter) {
    switch sense {
    case .seen: writeSeen(to: &json)
    case .heard: writeHeard(to: &json)
    case .felt: writeFelt(to: &json)
    }
  }

  private func writeSeen(to json: inout JSONWriter) {
    switch perception.seen {
    case .burst(let particles):
      json.put("does", "burst")
      json.put("particles", particles.rawValue)
    case .ring(let integrity):
      json.put("does", "ring")
      json.put("integrity", integrity)
    }
  }

  private func writeHeard(to json: inout JSONWriter) {
    switch perception.heard {
    case .sound(let placement, let level, let player, let interrupts, let why):
      placement.write(to: &json)
      json.put("left", placement.left * level)
      json.put("right", placement.right * level)
      json.put("player", player + 1)
      json.put("interrupts", interrupts)
      json.put("music", music)
      if let heardUntil { json.put("until_ns", heardUntil.nanoseconds) }
      json.put("why", why.words)
    case .tooHot(let state): writeNothing("thermal state \(state.rawValue)", to: &json)
    case .interrupted: writeNothing("the audio session is interrupted", to: &json)
    case .replaced: writeNothing("another sound took its player before it began", to: &json)
    case nil: break
    }
  }

  private func writeFelt(to json: inout JSONWriter) {
    switch perception.felt {
    case .pattern(let feel):
      json.put("does", "pattern")
      json.put("intensity", feel.intensity)
      json.put("crack", feel.crack)
      json.put("rumble", feel.rumble)
      if let feltUntil { json.put("until_ns", feltUntil.nanoseconds) }
      json.put("why", cause)
    case .mediumImpact:
      json.put("does", "medium-impact")
      json.put("why", "low-power mode")
    case .nothing(let why): writeNothing(why.words, to: &json)
    case .savedPower: writeNothing("low-power mode came before it began", to: &json)
    case nil: break
    }
  }

  private func writeNothing(_ why: String, to json: inout JSONWriter) {
    json.put("does", "nothing")
    json.put("why", why)
  }
}

extension HeardReason {
  /// The reason in words.
  fileprivate var words: String {
    switch self {
    case .mono: "one channel: placed"
    case .bed: "two channels: a bed, played as it is"
    case .flat(let state): "thermal state \(state.rawValue): not placed"
    }
  }
}

import TelecapConformance

extension Requirement {
  private static let space =
    "haptics, Where the sound comes from; Multisensory Architectures, Spatial Audio Implementation"
  private static let events = "haptics, One event, three senses; Multisensory Architectures"

  /// The requirements on the placement of sounds.
  static let audio = [
    Requirement(
      "audio.distance.inverse", .must,
      "By the inverse law a sound is full up to the reference, then ref / (ref + rolloff × (r − ref)), constant from the maximum on.",
      space),
    Requirement(
      "audio.distance.linear", .must,
      "By the linear law a sound is full up to the reference, then 1 − rolloff × (r − ref) / (max − ref), never below 0.",
      space),
    Requirement(
      "audio.distance.exponential", .must,
      "By the exponential law a sound is full up to the reference, then (r / ref)^−rolloff, constant from the maximum on.",
      space),
    Requirement("audio.scale", .must, "Positions are scaled to metres before anything else.", space),
    Requirement(
      "audio.side", .must,
      "A source on the left is louder on the left: left² + right² is the gain's square, and on a headset the right ear hears it later.",
      space),
    Requirement(
      "audio.behind", .must, "A source at the back keeps its side, and one straight at the back has none.", space),
    Requirement(
      "audio.head", .must,
      "The listener's turn turns the world the other way; without a headset the head changes nothing.", space),
    Requirement("audio.mono", .must, "A source of two channels is not placed, and that is said.", space),
  ]

  /// The requirements on the mapping of events to senses.
  static let sensesOfEvents = [
    Requirement(
      "senses.map.intensity", .must, "An explosion is felt at its energy times the gain of its distance.", events),
    Requirement(
      "senses.map.sharpness", .must,
      "The first transient has the material's upper sharpness, the rumble falls to its lower one.", events),
    Requirement(
      "senses.drain", .must,
      "Each event of the core reaches the senses once, in order, under any pattern of ticks and drains.", events),
    Requirement(
      "senses.degrade", .must,
      "By heat, low power and the session's category: what is played of an event, and what is not.", events),
  ]
}

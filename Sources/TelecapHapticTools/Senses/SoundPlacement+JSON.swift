import TelecapHaptics
import TelecapText

extension SoundPlacement {
  /// Writes the members of an object with the placement of a sound.
  func write(to json: inout JSONWriter) {
    json.put("does", isPlaced ? "placed" : "unplaced")
    guard isPlaced else { return }
    json.put("distance_m", distance)
    json.put("gain", gain)
    json.put("azimuth_deg", azimuth * 180 / .pi)
    json.put("elevation_deg", elevation * 180 / .pi)
    json.put("left_later_by_s", delay)
  }
}

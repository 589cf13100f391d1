import TelecapHaptics
import TelecapText

extension SoundPlacement {
  /// Says in an object how a sound is played, and of one that is placed where it is heard.
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

import TelecapModels
import TelecapWire

/// The poses of one session: a pose is applied only if it is newer than every pose applied before it
/// (semantics, Latest value wins; RFC 1982).
struct PoseStream: Hashable, Sendable {
  private var newest: UInt16?

  /// Handles the next received pose; returns the reason to drop it, or nil to apply it.
  mutating func receive(_ pose: PoseSample) -> PeerEvent.DropReason? {
    guard pose.isFinite else { return .notFinite }
    if let newest, !SerialNumber.isNewer(pose.seq, than: newest) {
      return pose.seq == newest ? .duplicate : .stale
    }
    newest = pose.seq
    return nil
  }
}

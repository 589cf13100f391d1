import TelecapRecording
import TelecapWire

/// All that pages show of a capture.
public struct CapturePicture: Sendable {
  /// Its name.
  public var name: String
  /// It in numbers.
  public var summary: CaptureSummary
  /// Its events over time.
  public var timeline: CaptureTimeline
  /// Of each rule that something was found by, the first places.
  public var places: [FoundPlaces]
  /// Notes for the reader: that a file is truncated, that only packets are known.
  public var notes: [String]

  /// A capture of this name.
  public init(
    name: String, _ summary: CaptureSummary, _ timeline: CaptureTimeline, places: [FoundPlaces] = [],
    notes: [String] = []
  ) {
    (self.name, self.summary, self.timeline, self.places, self.notes) = (name, summary, timeline, places, notes)
  }

  /// The issues with a time: sides that fell silent, streams that paused or stopped.
  var incidents: [Incident] { Incident.all(self) }

  /// When its first packet came.
  public var start: Timestamp { summary.span?.lowerBound ?? summary.info.started }
}

/// The findings of one rule, and their first locations.
public struct FoundPlaces: Sendable {
  /// A place where something was found.
  public struct Place: Sendable {
    /// The packet.
    public var packet: Int
    /// When.
    public var time: Timestamp
    /// The problem, in words.
    public var text: String
    /// The message that it is about; nil where it is about the packet.
    public var message: MessageDetail?

    /// Something found in a packet.
    public init(packet: Int, time: Timestamp, text: String, message: MessageDetail? = nil) {
      (self.packet, self.time, self.text, self.message) = (packet, time, text, message)
    }
  }

  /// The rule's id.
  public var rule: String
  /// How bad it is.
  public var severity: Severity
  /// How often it was found in all.
  public var count: Int
  /// The first places.
  public var places: [Place]

  /// So often, first in these places.
  public init(rule: String, severity: Severity, count: Int, places: [Place]) {
    (self.rule, self.severity, self.count, self.places) = (rule, severity, count, places)
  }
}

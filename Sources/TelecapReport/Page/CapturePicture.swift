import TelecapRecording
import TelecapWire

/// All that pages show of a capture.
public struct CapturePicture: Sendable {
  /// What it is called.
  public var name: String
  /// It in numbers.
  public var summary: CaptureSummary
  /// What happened in it, over time.
  public var timeline: CaptureTimeline
  /// Of each rule that something was found by, the first places.
  public var places: [FoundPlaces]
  /// What a reader must know: that a file broke off, that only packets are known.
  public var notes: [String]

  /// A capture of this name.
  public init(
    name: String, _ summary: CaptureSummary, _ timeline: CaptureTimeline, places: [FoundPlaces] = [],
    notes: [String] = []
  ) {
    (self.name, self.summary, self.timeline, self.places, self.notes) = (name, summary, timeline, places, notes)
  }

  /// What stands out of it by time: who fell silent, which stream paused or stopped.
  var incidents: [Incident] { Incident.all(self) }

  /// When its first packet came.
  public var start: Timestamp { summary.span?.lowerBound ?? summary.info.started }
}

/// What was found by one rule, and where first.
public struct FoundPlaces: Sendable {
  /// A place where something was found.
  public struct Place: Sendable {
    /// The packet.
    public var packet: Int
    /// When.
    public var time: Timestamp
    /// What is wrong, in words.
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

import TelecapRecording

/// What tracing keeps to. As it stands it is right (touch.md); what traces wrongly differs in one of these.
public struct TracingRules: Hashable, Sendable {
  /// Only where pressure is measured a touch is traced.
  public var needsPressure = true
  /// A force of just the threshold activates.
  public var activatesAtThreshold = false
  /// What is light is handed on, too.
  public var handsLightOn = false
  /// A touch that activates begins for its control.
  public var tellsBegan = true
  /// A touch that was handed on stays so, however light it becomes.
  public var keepsLatch = true
  /// The end of a touch that was handed on leaves the next one alone.
  public var endsLatch = true
  /// A touch that ends within so many ns activates, however light it is; nil for none.
  public var tapNanoseconds: Nanoseconds?
  /// One finger is traced: the first that came down.
  public var tracesOneFinger = true
  /// What lies under the finger is looked for at every sample; otherwise what was felt when the touch began stays.
  public var looksAgain = true
  /// Frames count from the view that they lie in; otherwise they are places on the screen.
  public var framesAreNested = true
  /// Over grain, the first movement of a touch counts from where it began; otherwise from the corner of the screen, so that
  /// it is felt however short it is.
  public var measuresFromTouch = true
  /// Edges are felt on the way out, too.
  public var feelsWayOut = true
  /// Grain is felt at every movement, however short.
  public var grainsAlways = false
  /// A scroll view begins with the medium impact.
  public var scrollsMediumFirst = false
  /// A smooth view is felt like grain at every movement.
  public var feelsSmooth = false

  /// The right ones.
  public init() {}
}

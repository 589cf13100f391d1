import TelecapRecording

/// The rules of tracing. The defaults are correct (touch.md); a mutant differs in one of them.
public struct TracingRules: Hashable, Sendable {
  /// Whether a touch is traced only if pressure is measured.
  public var needsPressure = true
  /// Whether a force of exactly the threshold activates.
  public var activatesAtThreshold = false
  /// Whether light touches are forwarded too.
  public var handsLightOn = false
  /// Whether a touch that activates starts with `began` for its control.
  public var tellsBegan = true
  /// Whether a forwarded touch stays so, however light it becomes.
  public var keepsLatch = true
  /// Whether the end of a forwarded touch leaves the next one unaffected.
  public var endsLatch = true
  /// The duration in ns up to which a touch activates, however light it is; nil for none.
  public var tapNanoseconds: Nanoseconds?
  /// Whether only one finger is traced: the first that came down.
  public var tracesOneFinger = true
  /// Whether every sample looks for the view under the finger; otherwise the view at the start of the touch stays.
  public var looksAgain = true
  /// Whether frames are relative to the parent; otherwise they are positions on the screen.
  public var framesAreNested = true
  /// Whether the first movement over grain is measured from the start of the touch; otherwise from the corner of the
  /// screen, so that it is felt however short it is.
  public var measuresFromTouch = true
  /// Whether edges are felt on the way out too.
  public var feelsWayOut = true
  /// Whether grain is felt at every movement, however short.
  public var grainsAlways = false
  /// Whether a scroll view starts with the medium impact.
  public var scrollsMediumFirst = false
  /// Whether a smooth view is felt like grain at every movement.
  public var feelsSmooth = false

  /// The correct rules.
  public init() {}
}

/// An error that knows what to do about it.
public protocol Advising: Error {
  /// What to do, in a sentence; empty when nothing can be said.
  var advice: String { get }
}

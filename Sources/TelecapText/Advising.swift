/// An error with advice.
public protocol Advising: Error {
  /// The advice, as a sentence; empty if there is none.
  var advice: String { get }
}

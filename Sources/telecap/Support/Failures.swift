import TelecapCapture

/// One place that says which error of which room ends with which exit status.
extension Failure {
  /// The failure that `error` is for a command; nil when it is none of ours.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as CaptureFileError: self.init(Failure.status(error), "\(error)")
    case let error as LiveCaptureError: self.init(Failure.status(error), "\(error)")
    default: return nil
    }
  }

  private static func status(_ error: CaptureFileError) -> ExitStatus {
    switch error {
    case .cannotOpen: .noInput
    case .cannotRead, .cannotWrite: .io
    case .notCapture, .truncated, .damaged: .data
    }
  }

  private static func status(_ error: LiveCaptureError) -> ExitStatus { .notPermitted }
}

/// Runs `read`; when the input turns out to be damaged, what came before it stands, and the failure is returned to be
/// thrown at the end.
func readingAsFarAsItGoes(_ read: () throws -> Void) throws -> Failure? {
  do {
    try read()
    return nil
  } catch let error as CaptureFileError {
    let failure = Failure(error)
    if case .data? = failure?.status { return failure }
    throw error
  }
}

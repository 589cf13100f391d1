import TelecapCapture
import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapStore
import TelecapTransport

/// One place that says which error of which room ends with which exit status.
extension Failure {
  /// The failure that `error` is for a command; nil when it is none of ours.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as CaptureFileError: self.init(Failure.status(error), "\(error)")
    case let error as StoreError: self.init(Failure.status(error), "\(error)")
    case let error as TelecapConformance.SystemError: self.init(.unavailable, error.description)
    case let error as RelayError: self.init(.unavailable, "\(error)")
    case let error as ResolutionError: self.init(.unavailable, "\(error)")
    case let error as DestinationError: self.init(.usage, "\(error)")
    case let error as SocketError: self.init(.unavailable, "\(error)")
    case let error as InputError: self.init(.usage, "\(error)")
    case let error as SavedPlanError: self.init(.data, "\(error)", advice: error.advice)
    case let error as UnframedError: self.init(.data, "\(error)")
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

  private static func status(_ error: LiveCaptureError) -> ExitStatus {
    switch error {
    case .notPermitted: .notPermitted
    case .noSuchInterface: .noInput
    case .badFilter: .usage
    case .failed: .unavailable
    }
  }

  private static func status(_ error: StoreError) -> ExitStatus {
    switch error {
    case .missing, .unreadable: .noInput
    case .empty, .notSQLite, .notACapture, .newerFormat, .damaged: .data
    case .exists, .cannotCreate: .cannotCreate
    case .badCondition: .usage
    case .busy: .unavailable
    case .full, .sqlite: .io
    }
  }
}

/// Runs `read`; when the input turns out to be damaged, what came before it stands, and the failure is returned to be
/// thrown at the end.
func readingAsFarAsItGoes(_ read: () throws -> Void) throws -> Failure? {
  do {
    try read()
    return nil
  } catch {
    guard let failure = Failure(error), failure.status == .data else { throw error }
    return failure
  }
}

import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapModels
import TelecapReplay
import TelecapStore
import TelecapTransport

/// One place that says which error of which room ends with which exit status.
extension Failure {
  /// The failure that `error` is for a command; nil when it is none of ours.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let damage as Damage:
      guard let failure = Failure(damage.reason) else { return nil }
      self = failure
    case let error as FileError: self.init(Failure.status(error), "\(error)", advice: error.advice)
    case let error as YAMLFileError: self.init(.data, error.description)
    case let error as ReplayProblem: self.init(Failure.status(error.kind), "\(error)", advice: error.advice)
    case let error as ProtocolProblem: self.init(Failure.status(error), "\(error)", advice: error.advice)
    case let error as InputFileError: self.init(.data, "\(error)")
    case let error as PatternProblem: self.init(.data, "\(error)", advice: error.advice)
    case let error as TouchProblem: self.init(.data, "\(error)", advice: error.advice)
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

  private static func status(_ error: FileError) -> ExitStatus {
    switch error {
    case .noInput: .noInput
    case .unreadable, .brokeOff, .cannotWrite: .io
    case .tooLarge: .data
    case .exists, .cannotCreate, .cannotMakeFolder, .noTemporary: .cannotCreate
    case .readerGone: .done
    case .standardInputOnce, .manyLinkTypes: .usage
    }
  }

  private static func status(_ error: ProtocolProblem) -> ExitStatus {
    switch error {
    case .unknown: .usage
    case .unstorable: .data
    }
  }

  private static func status(_ kind: ReplayProblem.Kind) -> ExitStatus {
    switch kind {
    case .request: .usage
    case .noInput: .noInput
    case .data: .data
    case .unavailable: .unavailable
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

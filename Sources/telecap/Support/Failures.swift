import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapModels
import TelecapReplay
import TelecapStore
import TelecapText
import TelecapTransport

/// One place that says which error of which room ends with which exit status.
extension Failure {
  /// The failure that `error` is for a command; nil when it is none of ours.
  init?(_ error: any Error) {
    if let failure = error as? Failure {
      self = failure
    } else if let damage = error as? Damage {
      self.init(damage.reason)
    } else if let status = Failure.status(of: error) {
      self.init(status, "\(error)", advice: (error as? any Advising)?.advice ?? "")
    } else {
      return nil
    }
  }

  private static func status(of error: any Error) -> ExitStatus? {
    switch error {
    case let error as FileError: status(error)
    case let error as ReplayProblem: status(error.kind)
    case let error as CaptureFileError: status(error)
    case let error as StoreError: status(error)
    case let error as LiveCaptureError: status(error)
    case ProtocolProblem.unknown, is DestinationError, is InputError: .usage
    case ProtocolProblem.unstorable, is YAMLFileError, is PatternProblem, is TouchProblem, is InputFileError,
      is SavedPlanError, is UnframedError:
      .data
    case is TelecapConformance.SystemError, is RelayError, is ResolutionError, is SocketError: .unavailable
    default: nil
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
    case .full, .sqlite, .foreign: .io
    }
  }
}

import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapModels
import TelecapReport
import TelecapStore
import TelecapTransport

/// The exit status of a command (sysexits.h).
public enum ExitStatus: Int32, Sendable {
  /// Success; the reader may have closed the pipe early.
  case done = 0
  /// A check failed.
  case failed = 1
  /// The command line is invalid.
  case usage = 64
  /// The input is invalid.
  case data = 65
  /// The input does not exist or is not readable; `notPermitted` is not for file permissions (sysexits.h).
  case noInput = 66
  /// A required service is not available.
  case unavailable = 69
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case io = 74
  /// Permission denied, for example for capturing.
  case notPermitted = 77
}

/// An error about invalid input, of a module that this one does not import: its exit status is `data`.
public protocol BadInput: Error {}

/// The exit status of each error of every module, in one place.
extension ExitStatus {
  /// The exit status for an error of telecap's modules; nil for any other.
  public init?(of error: any Error) {
    guard let status = ExitStatus.status(of: error) else { return nil }
    self = status
  }

  /// The exit status of a command that a signal cancelled, as a shell reports it: 128 plus the signal's number; nil for
  /// another reason.
  public static func ofSignal(_ error: any Error) -> Int32? {
    let isBrokenOff =
      switch error {
      case is CancellationError: true
      case FileError.cannotCreate(_, let reason), CaptureFileError.cannotOpen(_, let reason): reason.isInterrupted
      default: false
      }
    return isBrokenOff ? 128 + (StopFlag.signal ?? 2) : nil
  }

  private static func status(of error: any Error) -> ExitStatus? {
    switch error {
    case let error as FileError: status(error)
    case let error as ReplayProblem: status(error.kind)
    case let error as LearnProblem: status(error.kind)
    case let error as CaptureFileError: status(error)
    case is RecordingStopped, is UnwrittenReports: .io
    case let error as StoreError: status(error)
    case let error as LiveCaptureError: status(error)
    case RelayError.passesToItself: .usage
    case let error as UnsentError: error.failed == error.total ? .unavailable : .io
    case ProtocolProblem.unknown, is SystemNameError, is DestinationError, is InputError, is PortProblem,
      is FieldProblem, is NetworkProblem:
      .usage
    case ProtocolProblem.unstorable, is YAMLFileError, is InputFileError, is SavedPlanError, is UnframedError,
      is ResultsProblem, is any BadInput:
      .data
    case is SystemError, is RelayError, is ResolutionError, is SocketError: .unavailable
    default: nil
    }
  }

  private static func status(_ error: FileError) -> ExitStatus {
    switch error {
    case .noInput: .noInput
    case .unreadable, .brokeOff, .cannotWrite, .cutOff, .gone: .io
    case .capture(let error): status(error)
    case .tooLarge: .data
    case .exists, .others, .cannotCreate, .cannotMakeFolder, .noTemporary: .cannotCreate
    case .readerGone: .done
    case .standardInputOnce, .planOnce, .manyLinkTypes, .timeBeyondPcap, .isOutput, .terminal: .usage
    }
  }

  private static func status(_ kind: ReplayProblem.Kind) -> ExitStatus {
    switch kind {
    case .request: .usage
    case .noInput: .noInput
    case .data: .data
    case .unavailable: .unavailable
    case .io: .io
    }
  }

  private static func status(_ error: CaptureFileError) -> ExitStatus {
    switch error {
    case .cannotOpen: .noInput
    case .cannotRead, .cannotWrite: .io
    case .notCapture, .cannotDecompress, .truncated, .damaged: .data
    case .noDecompressor: .unavailable
    }
  }

  private static func status(_ error: LiveCaptureError) -> ExitStatus {
    switch error {
    case .notPermitted: .notPermitted
    case .noSuchInterface: .noInput
    case .badFilter: .usage
    case .failed, .noBluetooth: .unavailable
    }
  }

  private static func status(_ error: StoreError) -> ExitStatus {
    switch error {
    case .missing, .unreadable: .noInput
    case .empty, .notSQLite, .notACapture, .newerFormat, .damaged, .wrongValue, .trigger, .nameTaken, .changedSchema:
      .data
    case .exists, .leftLog, .cannotCreate: .cannotCreate
    case .badCondition: .usage
    case .busy: .unavailable
    case .full, .notWritten, .noRoom, .locked, .gone, .sqlite, .foreign: .io
    }
  }
}

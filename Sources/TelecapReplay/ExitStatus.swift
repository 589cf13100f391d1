import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapModels
import TelecapReport
import TelecapStore
import TelecapTransport

/// How a command ends when it does not end well (sysexits.h).
public enum ExitStatus: Int32, Sendable {
  /// All is well, though not all was wanted.
  case done = 0
  /// A check failed.
  case failed = 1
  /// The command line is wrong.
  case usage = 64
  /// The input is not what it should be.
  case data = 65
  /// There is no such input, or it may not be read: the rights of files are no matter of `notPermitted` (sysexits.h).
  case noInput = 66
  /// A service that is needed is not there.
  case unavailable = 69
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case io = 74
  /// Not permitted, as capturing is without the right to it.
  case notPermitted = 77
}

/// An error of an input that is not what it should be, in a module that this one does not know: it ends a command with `data`.
public protocol BadInput: Error {}

/// One place that says which error of which room ends a command with which status.
extension ExitStatus {
  /// The status for an error of our rooms; nil for any other.
  public init?(of error: any Error) {
    guard let status = ExitStatus.status(of: error) else { return nil }
    self = status
  }

  /// How a command ends that a signal broke off, as a shell reports it: 128 and the signal's number; nil where it broke off
  /// for another reason.
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

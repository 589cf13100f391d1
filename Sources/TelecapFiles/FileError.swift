import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapText

/// The reason why a file cannot be read, written or queried.
public enum FileError: Advising, Hashable, Sendable {
  /// The input does not exist, or may not be opened.
  case noInput(path: String, ErrnoError)
  /// The input cannot be read.
  case unreadable(path: String, ErrnoError)
  /// Reading failed in the middle of the input.
  case brokeOff(path: String, ErrnoError)
  /// The input is larger than this many MiB.
  case tooLarge(path: String, mebibytes: Int)
  /// The input is the file to which standard output, or standard error, is redirected.
  case isOutput(path: String, isError: Bool)
  /// Packets cannot be written to a terminal, which would interpret control characters.
  case terminal(format: String)
  /// A file that telecap did not write exists where it would write its own.
  case others(path: String)
  /// The output, which is written in place, cannot be written any more: it is incomplete.
  case cutOff(path: String, ErrnoError)
  /// The output exists, and may not be replaced.
  case exists(path: String)
  /// The output would replace a capture that is, or may be, being recorded.
  case capture(StoreError)
  /// The file that was being written no longer exists: it was removed or replaced.
  case gone(path: String)
  /// The output cannot be created.
  case cannotCreate(path: String, ErrnoError)
  /// The folder cannot be created.
  case cannotMakeFolder(path: String, ErrnoError)
  /// The directory of temporary files cannot be created below `parent`.
  case noTemporary(parent: String, ErrnoError)
  /// The output with this name cannot be written.
  case cannotWrite(name: String, ErrnoError)
  /// The reader closed the pipe early, as `head` does. Not an error; there is nothing more to do.
  case readerGone
  /// Packets are to be selected by SQL from standard input or a pipe, which can be read only once.
  case standardInputOnce
  /// A plan is to be read from a pipe or a device.
  case planOnce(path: String)
  /// A pcap file has one link type, but the capture's interfaces have several.
  case manyLinkTypes(path: String, [UInt16])
  /// A pcap file can contain times from 1970 to 2106, but a packet has another.
  case timeBeyondPcap(path: String, packet: Int, Timestamp)

  /// The advice; empty if there is none.
  public var advice: String {
    switch self {
    case .exists: "give another name, or --force to replace it"
    case .gone: "let nobody else write there, and run it again"
    case .cannotMakeFolder: "give a directory whose parent exists and can be written"
    case .isOutput: "print to another file, or through a pipe"
    case .terminal: "name a file with --output, or pass it on through a pipe"
    case .others: "move it away, or give another directory"
    case .cutOff: "make room and run it again"
    case .standardInputOnce: "import it first"
    case .planOnce: "write it to a file first"
    case .manyLinkTypes, .timeBeyondPcap: "export it as pcapng"
    default: ""
    }
  }
}

extension FileError: CustomStringConvertible {
  /// The problem and its location.
  public var description: String {
    switch self {
    case .noInput(let path, let reason), .unreadable(let path, let reason), .cannotCreate(let path, let reason),
      .cannotMakeFolder(let path, let reason):
      "\(path): \(reason)"
    case .brokeOff(let path, let reason): "cannot read \(path): \(reason)"
    case .tooLarge(let path, let mebibytes): "\(path): larger than \(mebibytes) MiB"
    case .isOutput(let path, let isError):
      "\(path): standard \(isError ? "error" : "output") goes into this file, which would grow while it is read"
    case .terminal(let format): "\(format) is no text, and standard output is a terminal"
    case .others(let path): "\(path): exists, and telecap did not write it"
    case .cutOff(let path, let reason):
      "cannot write to \(path): \(reason); the file is incomplete, because its folder allows no temporary file"
    case .exists(let path): "\(path): exists already"
    case .capture(let error): "\(error)"
    case .gone(let path): "\(path): it was removed or replaced while it was being written"
    case .noTemporary(let parent, let reason): "\(parent): no temporary directory: \(reason)"
    case .cannotWrite(let name, let reason): "cannot write to \(name): \(reason)"
    case .readerGone: "nobody reads any more"
    case .standardInputOnce: "--where needs a file: standard input and pipes can be read only once"
    case .planOnce(let path): "\(path): a plan is read twice, which a pipe does not allow"
    case .manyLinkTypes(let path, let types):
      "\(path): its interfaces have the link types \(types.map(String.init).joined(separator: ", ")), "
        + "and a pcap file has one"
    case .timeBeyondPcap(let path, let packet, let time):
      "\(path): packet \(Numbers.grouped(packet)) is of a time \(time < .zero ? "before 1970" : "after 2106-02-07"), "
        + "which a pcap file cannot store"
    }
  }
}

import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapText

/// Why a file cannot be read, written or asked.
public enum FileError: Advising, Hashable, Sendable {
  /// The input is not there, or may not be opened.
  case noInput(path: String, ErrnoError)
  /// The input cannot be read.
  case unreadable(path: String, ErrnoError)
  /// Reading broke off in the middle.
  case brokeOff(path: String, ErrnoError)
  /// The input is larger than so many MiB.
  case tooLarge(path: String, mebibytes: Int)
  /// The input is the file that standard output goes to, or standard error.
  case isOutput(path: String, isError: Bool)
  /// Packets are no text: a terminal would obey them.
  case terminal(format: String)
  /// A file is there that telecap did not write, where it would write one of its own.
  case others(path: String)
  /// The output, which stands where it is written, took no more: a part of it is left.
  case cutOff(path: String, ErrnoError)
  /// The output is there already, and it was not said to replace it.
  case exists(path: String)
  /// The output would take the place of a capture that somebody records into, or may be recording into.
  case capture(StoreError)
  /// What was being written to this file is no longer there: somebody removed it, or put another file in its place.
  case gone(path: String)
  /// The output cannot be made.
  case cannotCreate(path: String, ErrnoError)
  /// The folder cannot be made.
  case cannotMakeFolder(path: String, ErrnoError)
  /// No directory for temporary files can be made below `parent`.
  case noTemporary(parent: String, ErrnoError)
  /// The output, by its name, takes nothing more.
  case cannotWrite(name: String, ErrnoError)
  /// Whoever read the output has had enough, as `head` has: no mistake, and nothing more to do.
  case readerGone
  /// Packets are to be chosen by SQL out of standard input or a pipe, which can be read only once.
  case standardInputOnce
  /// A plan is to be read out of a pipe or a device.
  case planOnce(path: String)
  /// A pcap file has one link type, and the capture's interfaces have these.
  case manyLinkTypes(path: String, [UInt16])
  /// A pcap file holds times from 1970 to 2106, and a packet has this one.
  case timeBeyondPcap(path: String, packet: Int, Timestamp)

  /// What to do about it; empty when nothing can be said.
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
  /// What is wrong, and where.
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
    case .others(let path): "\(path): is there, and telecap did not write it"
    case .cutOff(let path, let reason):
      "cannot write to \(path): \(reason); a part of it is there, since its folder takes no file beside it"
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
        + "and a pcap file holds none"
    }
  }
}

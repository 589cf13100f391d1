import ArgumentParser
import TelecapConformance
import TelecapReplay

/// What a shell completes: `telecap --generate-completion-script bash`, zsh or fish.
extension CompletionKind {
  /// Files that hold packets, btsnoop logs among them.
  static let recordings = file(extensions: ["telecap", "pcap", "pcapng", "log", "btsnoop"])
  /// The ids of requirements, as `--only` takes them.
  static let requirements = custom { _, _, _ in Loaded.suites.requirements.map(\.id) }
  /// Networks by name.
  static let networks = custom { _, _, _ in NetworkLibrary().names }
  /// Protocols of files by name.
  static let protocols = custom { _, _, _ in ProtocolLibrary().names }
  /// Systems under test that are ours.
  static let systems = custom { _, _, _ in
    // To zsh a colon ends the word, and what follows says what it is.
    let colon = CompletionShell.requesting == .zsh ? "\\:" : ":"
    return ["models"] + Loaded.suites.models.map { "model\(colon)\($0.part.name)" }
  }
  /// Network interfaces of this machine.
  static let interfaces = shellCommand("ls /sys/class/net 2>/dev/null || ifconfig -l")
}

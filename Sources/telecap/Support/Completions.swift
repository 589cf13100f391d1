import ArgumentParser
import TelecapConformance
import TelecapReplay
import TelecapWire

/// What a shell completes: `telecap --generate-completion-script bash`, zsh or fish.
extension CompletionKind {
  /// Files that hold packets, Bluetooth logs and compressed captures among them.
  static let recordings = file(
    extensions: ["telecap", "pcap", "pcapng", "cap", "log", "btsnoop", "snoop", "pklg", "gz", "zst"])
  /// The ids of requirements, as `--only` takes them.
  static let requirements = custom { _, _, _ in shown(Loaded.suites.requirements.map(\.id)) }
  /// Networks by name.
  static let networks = custom { words, index, _ in shown(NetworkLibrary().names + files(words, index)) }
  /// Protocols of files by name, and such files.
  static let protocols = custom { words, index, _ in shown(ProtocolLibrary().names + files(words, index)) }
  /// Systems under test that are ours, and the files of others.
  static let systems = custom { words, index, _ in shown(["models"] + models + files(words, index)) }
  /// Where a replay goes: models, and the files of systems.
  static let targets = custom { words, index, _ in shown(models + files(words, index)) }
  /// Whose part a replay takes.
  static let roles = custom { _, _, _ in
    shown(Loaded.protocols.flatMap { [$0.sideNames.client, $0.sideNames.host] })
  }

  private static var models: [String] { Loaded.suites.models.map { "model:\($0.part.name)" } }

  private static func files(_ words: [String], _ index: Int) -> [String] {
    // bash puts the slash behind a folder by itself.
    let word = words.indices.contains(index) ? words[index] : ""
    return CompletedWords.files(word, slash: CompletionShell.requesting == .bash ? "" : "/")
  }

  private static func shown(_ words: [String]) -> [String] {
    // To zsh a colon ends the word, and what follows says what it is.
    CompletedWords.harmless(words, colon: CompletionShell.requesting == .zsh ? "\\:" : ":")
  }
  /// Network interfaces of this machine.
  static let interfaces = shellCommand("ls /sys/class/net 2>/dev/null || ifconfig -l")
}

import ArgumentParser
import TelecapConformance
import TelecapReplay
import TelecapWire

/// The shell completions of `telecap --generate-completion-script` for bash, zsh and fish.
extension CompletionKind {
  /// Files with packets, also Bluetooth logs and compressed captures.
  static let recordings = file(
    extensions: ["telecap", "pcap", "pcapng", "cap", "log", "btsnoop", "snoop", "pklg", "gz", "zst"])
  /// The ids of requirements, as `--only` takes them.
  static let requirements = custom { _, _, _ in shown(Loaded.suites.requirements.map(\.id)) }
  /// Network profiles by name.
  static let networks = custom { words, index, _ in shown(NetworkLibrary().names + files(words, index)) }
  /// The names of known protocols, and protocol files.
  static let protocols = custom { words, index, _ in shown(ProtocolLibrary().names + files(words, index)) }
  /// Our own models as systems under test, and system files.
  static let systems = custom { words, index, _ in shown(["models"] + models + files(words, index)) }
  /// The destinations of a replay: models, and system files.
  static let targets = custom { words, index, _ in shown(models + files(words, index)) }
  /// The side whose packets a replay sends.
  static let roles = custom { _, _, _ in
    shown(Loaded.protocols.flatMap { [$0.sideNames.client, $0.sideNames.host] })
  }

  private static var models: [String] { Loaded.suites.models.map { "model:\($0.part.name)" } }

  private static func files(_ words: [String], _ index: Int) -> [String] {
    // bash itself appends the slash to a folder.
    let word = words.indices.contains(index) ? words[index] : ""
    return CompletedWords.files(word, slash: CompletionShell.requesting == .bash ? "" : "/")
  }

  private static func shown(_ words: [String]) -> [String] {
    // In zsh a description follows the first colon, so escape colons in words.
    CompletedWords.harmless(words, colon: CompletionShell.requesting == .zsh ? "\\:" : ":")
  }
  /// Network interfaces of this machine.
  static let interfaces = shellCommand("ls /sys/class/net 2>/dev/null || ifconfig -l")
}

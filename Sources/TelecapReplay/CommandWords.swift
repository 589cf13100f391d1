extension [String] {
  /// These words of a command line with one more option, before `--`, since no word after it is an option.
  public func adding(option words: String...) -> [String] {
    let end = firstIndex(of: "--") ?? endIndex
    return self[..<end] + words + self[end...]
  }

  /// These words without an option and its value. Its names are given with dashes; the value may follow `=`.
  public func removing(option names: String...) -> [String] {
    var result: [String] = []
    var rest = self[...]
    while let word = rest.popFirst() {
      if word == "--" { return result + [word] + rest }
      let (name, value) = word.halves
      if !names.contains(name) { result.append(word) } else if value == nil { rest = rest.dropFirst() }
    }
    return result
  }

  /// The options of these words, without dashes; `short` maps one-letter options to names. A value that begins with two
  /// dashes must follow `=`.
  public func optionNames(short: [Character: String]) -> Set<String> {
    Set(namesInOrder(short: short))
  }

  private func namesInOrder(short: [Character: String]) -> [String] {
    prefix { $0 != "--" }.flatMap { word in
      let name = word.prefix { $0 != "=" }
      if name.hasPrefix("--") { return [String(name.dropFirst(2))] }
      return name.hasPrefix("-") ? name.dropFirst().compactMap { short[$0] } : []
    }
  }

  /// The options that may be given more than once.
  public static let listOptions: Set = ["gatt", "only", "plan", "port", "protocol", "relay", "set", "skip"]

  /// An option that occurs twice in these words and may be given once, or a port that is given twice.
  public func repeatedOption(short: [Character: String]) -> String? {
    var seen: Set<String> = []
    let names = namesInOrder(short: short)
    let ports = values(of: "--port").compactMap { value in value.halves.1.map { _ in value.halves.0 } }
    return names.first { ![String].listOptions.contains($0) && !seen.insert($0).inserted }
      ?? ports.first { !seen.insert($0).inserted }
  }

  /// The words after each option of this name, or after its `=`.
  public func values(of option: String) -> [String] {
    var values: [String] = []
    var rest = self[...]
    while let word = rest.popFirst(), word != "--" {
      let (name, value) = word.halves
      guard name == option else { continue }
      if let value = value ?? rest.popFirst() { values.append(value) }
    }
    return values
  }

  /// These words with options of ports, `--tele-udp 50001`, rewritten as `--port tele-udp=50001`. A word that begins
  /// with a dash is no number and stays an option, so that an error names the option without a number.
  public func expandingPorts(_ isPort: (String) -> Bool) -> [String] {
    var result: [String] = []
    var rest = self[...]
    while let word = rest.popFirst() {
      if word == "--" { return result + [word] + rest }
      let (name, value) = word.halves
      let id = String(name.dropFirst(2))
      guard word.hasPrefix("--"), isPort(id) else {
        result.append(word)
        continue
      }
      let hasNext = rest.first.map { !$0.hasPrefix("-") } ?? false
      result += ["--port", "\(id)=\(value ?? (hasNext ? rest.removeFirst() : ""))"]
    }
    return result
  }
}

extension String {
  /// The parts before and after the first `=`; nil for a missing second part.
  public var halves: (String, String?) {
    guard let equals = firstIndex(of: "=") else { return (self, nil) }
    return (String(self[..<equals]), String(self[index(after: equals)...]))
  }
}

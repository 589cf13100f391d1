import TelecapText
import TelecapTransport

/// A message between a running command and the process that serves its pages.
enum PageMessage: Sendable, Equatable {
  // From the command.

  /// The first message: the pages, and the address to serve them on.
  case start(PageAssignment)
  /// The capture of the command exists from now on.
  case begun
  /// The answer to the question with this number.
  case answer(PageAnswer, to: Int)
  /// News of the page with this number.
  case news(PageFeed.News, page: Int)
  /// The command has ended: show the last state, then exit.
  case stop

  // From the process.

  /// The pages are available at this address and port.
  case ready(address: String, port: UInt16)
  /// Listening on the address failed, for this reason.
  case failed(String)
  /// A browser requests a page that only the command can answer.
  case question(PageQuestion)
  /// Whether a browser follows the page with this number.
  case followed(Bool, page: Int)
  /// The last message: notes for the user at the terminal, as sentences.
  case notes([String])
}

/// The pages of a command, for the process that serves them.
struct PageAssignment: Sendable, Equatable {
  struct Page: Sendable, Equatable {
    /// The text of links to it.
    var link: String
    /// The path of the shown capture; nil if the command answers the page.
    var capture: String?
    /// Whether its forms change something.
    var takesChanges = false
  }

  var token: String
  /// The address to listen on.
  var host: String
  /// The port to listen on; 0 for any.
  var port: UInt16
  var pages: [Page]
}

/// A request for a page that the command answers itself.
struct PageQuestion: Sendable, Equatable {
  var number: Int
  var page: Int
  /// Whether it is a form that changes something.
  var isChange: Bool
  var parts: [String]
  /// The fields of the query, or of the form.
  var values: [String: String]
}

// MARK: - JSON

extension PageMessage {
  /// The message as a line of JSON.
  var line: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    switch self {
    case .start(let start): start.write(to: &json)
    case .begun: json.put("begun", true)
    case .answer(let answer, let number):
      json.put("answer", number)
      json.put("status", answer.status)
      json.put("type", answer.type)
      json.put("body", answer.body)
    case .news(let news, let page):
      json.put("news", page)
      json.put("number", news.number)
      json.put("words", news.words)
      if let until = news.until { json.put("until", until) }
      json.put("over", news.isOver)
    case .stop: json.put("stop", true)
    case .ready(let address, let port):
      json.put("ready", address)
      json.put("port", port)
    case .failed(let reason): json.put("failed", reason)
    case .question(let question): question.write(to: &json)
    case .followed(let isFollowed, let page):
      json.put("followed", isFollowed)
      json.put("page", page)
    case .notes(let notes): json.put("notes", texts: notes)
    }
    json.endObject()
    json.endLine()
    return json.bytes
  }

  /// Parses a line of JSON; nil if it is not a message.
  init?(line: [UInt8]) {
    let reading = JSONReading(line, allowing: [])
    guard let node = reading.node, reading.problem == nil else { return nil }
    if let start = PageAssignment(node) {
      self = .start(start)
    } else if node["begun"] != nil {
      self = .begun
    } else if let number = node.integer("answer"), let status = node.integer("status"), let type = node.text("type"),
      let body = node.text("body")
    {
      self = .answer(PageAnswer(status: status, type: type, body: body), to: number)
    } else if let page = node.integer("news"), let number = node.integer("number"), let words = node.text("words") {
      self = .news(
        PageFeed.News(number: number, words: words, until: node["until"]?.number, isOver: node.flag("over")),
        page: page)
    } else if node["stop"] != nil {
      self = .stop
    } else if let address = node.text("ready"), let port = node.integer("port").flatMap({ UInt16(exactly: $0) }) {
      self = .ready(address: address, port: port)
    } else if let reason = node.text("failed") {
      self = .failed(reason)
    } else if let question = PageQuestion(node) {
      self = .question(question)
    } else if node["followed"] != nil, let page = node.integer("page") {
      self = .followed(node.flag("followed"), page: page)
    } else if let notes = node.texts("notes") {
      self = .notes(notes)
    } else {
      return nil
    }
  }
}

extension PageAssignment {
  fileprivate func write(to json: inout JSONWriter) {
    json.put("token", token)
    json.put("host", host)
    json.put("port", port)
    json.beginArray("pages")
    for page in pages {
      json.beginObject()
      json.put("link", page.link)
      if let capture = page.capture { json.put("capture", capture) }
      json.put("changes", page.takesChanges)
      json.endObject()
    }
    json.endArray()
  }

  fileprivate init?(_ node: JSONNode) {
    guard let token = node.text("token"), let host = node.text("host"),
      let port = node.integer("port").flatMap({ UInt16(exactly: $0) }), let pages = node["pages"]?.elements
    else { return nil }
    self.init(
      token: token, host: host, port: port,
      pages: pages.map {
        Page(link: $0.text("link") ?? "", capture: $0.text("capture"), takesChanges: $0.flag("changes"))
      })
  }
}

extension PageQuestion {
  fileprivate func write(to json: inout JSONWriter) {
    json.put("question", number)
    json.put("page", page)
    json.put("change", isChange)
    json.put("parts", texts: parts)
    json.beginObject("values")
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      json.key(key)
      json.put(nil, value)
    }
    json.endObject()
  }

  fileprivate init?(_ node: JSONNode) {
    guard let number = node.integer("question"), let page = node.integer("page"), let parts = node.texts("parts"),
      let values = node["values"]?.members
    else { return nil }
    self.init(
      number: number, page: page, isChange: node.flag("change"), parts: parts,
      values: Dictionary(values.map { ($0.key, $0.node.string ?? "") }) { $1 })
  }
}

extension JSONNode {
  fileprivate func text(_ key: String) -> String? { self[key]?.string }
  fileprivate func integer(_ key: String) -> Int? { self[key]?.number.flatMap { Int(exactly: $0) } }
  fileprivate func flag(_ key: String) -> Bool { self[key]?.isTrue ?? false }
  fileprivate func texts(_ key: String) -> [String]? { self[key]?.elements?.compactMap(\.string) }
}

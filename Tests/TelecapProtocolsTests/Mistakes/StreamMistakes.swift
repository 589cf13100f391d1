/// Streams and sessions.
enum StreamMistakes {
  static let rows: [Mistake] = [
    // Streams.
    Mistake("name: light", "name: My_Light", 42, 11, "did you mean \"my-light\"?"),
    Mistake("message: LEVEL", "message: LEVL", 43, 14, "there is no message \"LEVL\"", "did you mean \"LEVEL\"?"),
    Mistake("message: LEVEL", "messages: [LEVEL]", 43, 5, "did you mean \"message\"?"),
    Mistake("    message: LEVEL\n", "", 42, 5, "stream has no \"message\""),
    Mistake("order: number", "order: sequence", 44, 12, "no field of LEVEL \"sequence\"", "number"),
    Mistake("order: number", "order: level", 44, 12, "\"level\" is float32", "no unsigned number"),
    Mistake("order: number", "order: [number]", 44, 12, "write number, which is no list"),
    Mistake("order: number", "sequence: number", 44, 5, "write \"order\""),
    Mistake("order: number", "order: {field: number, rule: window 20}", 44, 34, "for example rule: {window: 20}"),
    Mistake("order: number", "order: {field: number, window: 20}", 44, 28, "write \"rule: {window: 20}\""),
    Mistake("values: [level]", "values: level", 45, 13, "write [level]"),
    Mistake("values: [level]", "values: [LEVEL.level]", 45, 14, "did you mean \"level\"?"),
    Mistake("values: [level]", "values: [label]", 45, 14, "\"label\" is char[], and no number"),
    Mistake("values: [level]", "fields: [level]", 45, 5, "unknown key \"fields\"", "write \"values\""),
    // Times and rates.
    Mistake("silence: 500ms", "silence: 500 ms", 46, 14, "write 500ms"),
    Mistake("silence: 500ms", "silence: 500", 46, 14, "write 500ms or 500s"),
    Mistake("silence: 500ms", "silence: 0,5s", 46, 14, "write 0.5s"),
    Mistake("silence: 500ms", "silence: 0ms", 46, 14, "1ms to 3600s"),
    Mistake("silence: 500ms", "timeout: 500ms", 46, 5, "write \"silence\""),
    Mistake("silence: 500ms", "rate: 60Hz", 46, 11, "expected a number", "write 60"),
    Mistake("silence: 500ms", "interval: 60Hz", 46, 15, "write 16.667ms"),
    Mistake("silence: 500ms", "merge: newest", 46, 12, "write \"latest\""),
    Mistake("silence: 500ms", "in-session: yes", 46, 17, "write true"),
    Mistake("silence: 500ms", "neutral: {lvl: 0}", 46, 15, "LEVEL has no number \"lvl\"", "level"),
    Mistake("silence: 500ms", "key: flag", 46, 10, "write [flag]"),
    // Sessions.
    Mistake("asked-by: HELLO", "asked-by: HELO", 38, 13, "did you mean \"HELLO\"?"),
    Mistake("asked-by: HELLO", "asked-by: WELCOME", 38, 13, "WELCOME comes from the host"),
    Mistake("asked-by: HELLO", "opened-by: HELLO", 38, 3, "write \"asked-by\""),
    Mistake("  asked-by: HELLO\n", "", 38, 3, "neither \"opens\" nor \"asked-by\""),
    Mistake("answered-by: [WELCOME]", "answered-by: WELCOME", 39, 16, "write [WELCOME]"),
    Mistake("timeout: 5s", "timeout: 5", 40, 12, "write 5ms or 5s"),
    Mistake("timeout: 5s", "timeout: 5000 ms", 40, 12, "write 5000ms"),
    Mistake("timeout: 5s", "timeout: 5s\n  keepalive: HELLO", 41, 14, "write [HELLO]"),
    Mistake(
      "timeout: 5s", "timeout: 5s\n  closed-by: BYE", 41, 14, "there is no message \"BYE\"", "HELLO, WELCOME, LEVEL"),
    Mistake("timeout: 5s", "timeout: 5s\n  accepts: OK", 41, 12, "for example accepts: {status: 0}"),
    Mistake(
      "timeout: 5s", "timeout: 5s\n  accepts: {status: YES}", 41, 21, "no code of \"status\" \"YES\"", "OK, BUSY"),
    Mistake(
      "session:\n  asked-by: HELLO\n  answered-by: [WELCOME]\n  timeout: 5s", "session: none", 37, 10,
      "for example session: {asked-by: HELLO"),
  ]
}

import Foundation
import TelecapReplay
import TelecapTestSupport
import Testing

@testable import telecap

/// Options that have no effect beside others are refused before anything is read or sent, each by its name and with what to
/// do instead.
@Suite(.real("runs telecap")) struct IdleOptionTests {
  /// Fails unless `line` is refused, with these words behind the name of the option that has no effect.
  private func expectRefusal(_ line: String, _ words: String) throws {
    let end = try Program.refuse(line)
    #expect(end.status == 64)
    #expect(end.errors.hasPrefix("Error: \(words)"), "\(end.errors)")
    #expect(end.output.isEmpty)
  }

  @Test(
    "A relay listens to no interface, and standard output is not replaced",
    arguments: [
      (
        "record -o x --relay udp:1=a:2 --interface en0",
        "--interface cannot be combined with --relay, which captures no interface"
      ),
      ("record -o x --relay udp:1=a:2 -i en0", "--interface cannot be combined with --relay"),
      ("record -o x --relay udp:1=a:2 --bpf udp", "--bpf cannot be combined with --relay"),
      ("record -o x --relay udp:1=a:2 --tunnels", "--tunnels cannot be combined with --relay"),
      ("record -o x --bpf udp --tunnels", "--tunnels cannot be combined with --bpf"),
      ("record -o x --relay udp:1=a:2 --promiscuous", "--promiscuous cannot be combined with --relay"),
      ("record -o x --relay udp:1=a:2 --snap-length 262144", "--snap-length cannot be combined with --relay"),
      ("record -o x --relay udp:1=a:2 --buffer-size=64", "--buffer-size cannot be combined with --relay"),
      ("export a.telecap --force", "--force requires --output FILE: on standard output nothing is replaced"),
      ("plan a.pcap --force", "--force requires --output FILE"),
      ("ahap make heavy -o - --force", "--force requires --output FILE"),
      ("ahap from a.pcap --force", "--force requires --output FILE"),
      ("ahap render a.ahap --force", "--force requires --output FILE"),
      ("dissect --hex 00 --tele-udp 5", "--tele-udp requires a file: digits came to no port"),
      ("dissect --hex 00 --port mouse-udp=5", "--mouse-udp requires a file"),
      ("record -o -", "--output requires a file: a capture is a database, no stream; telecap export -o - writes one"),
      ("record --output=- --relay udp:1=a:2", "--output requires a file: a capture is a database"),
      ("import a.pcap -o - --force", "--output requires a file: a capture is a database"),
      ("record -o x.pcapng", "--output writes a capture, whatever its name: end it in .telecap"),
      ("import a.pcap -o x.csv", "--output writes a capture, whatever its name"),
      (
        "relay tcp:1=a:2 --reset 2s --half-open 2s",
        "--half-open has no effect: --duration or --reset ends the connection first"
      ),
      ("relay tcp:1=a:2 --duration 2s --half-open 3s", "--half-open has no effect"),
      ("relay tcp:1=a:2 --duration 2s --reset 2s", "--reset has no effect"),
      ("relay udp:1=a:2 --half-open 1s", "--half-open requires a tcp relay"),
      ("relay udp:1=a:2 --record x.pcap", "--record writes a capture, whatever its name"),
      ("touch a.jsonl --store x.jsonl", "--store writes a capture, whatever its name"),
    ])
  func recordings(_ line: String, _ words: String) throws { try expectRefusal(line, words) }

  @Test(
    "Options for the text have no effect without it",
    arguments: [
      ("conform -q -v", "--quiet cannot be combined with --verbose"),
      ("conform --list -q", "--quiet requires a run of scenarios"),
      ("conform --explore 3 --verbose", "--verbose requires a run of scenarios"),
      ("conform --dry-run --color always", "--color requires a run of scenarios"),
      ("conform --format json -v", "--verbose requires --format text"),
      ("conform --format json --color always", "--color requires --format text"),
      ("dissect a.pcap --format json --color never", "--color requires --format text"),
      ("replay a.pcap --dry-run -q", "--quiet cannot be combined with --dry-run"),
      ("replay a.pcap --dry-run --color always", "--color cannot be combined with --dry-run"),
      ("replay a.pcap --to model:host -v", "--verbose shows the send timing error: it requires an address"),
      ("replay a.pcap --speed max -v", "--verbose cannot be combined with --speed max"),
      ("replay a.pcap --format json -v", "--verbose requires --format text"),
      ("learn --role phone -o x.yaml --no-trial --color always -- program", "--color requires scenarios"),
    ])
  func texts(_ line: String, _ words: String) throws { try expectRefusal(line, words) }

  @Test(
    "Nothing is sent, or not as the option says",
    arguments: sampled(
      [
        ("plan a.pcap --where 1", "--where requires an impairment: it selects the messages to impair"),
        ("plan a.pcap --speed max --max-gap 1s", "--max-gap cannot be combined with --speed max"),
        ("replay a.pcap --where 1", "--where requires an impairment"),
        (
          "replay a.pcap --plan b --where 1",
          "--where cannot be combined with --plan, which decides what happens and when"
        ),
        ("replay a.pcap --speed max --max-gap 1s", "--max-gap cannot be combined with --speed max"),
        ("replay a.pcap --speed max --fail-if-late 1s", "--fail-if-late cannot be combined with --speed max"),
        (
          "replay a.pcap --plan b --speed 1x",
          "--speed cannot be combined with --plan, which decides what happens and when"
        ),
        ("replay a.pcap --plan b --max-gap 1s", "--max-gap cannot be combined with --plan"),
        ("replay a.pcap --plan b --seed 1", "--seed cannot be combined with --plan"),
        ("replay a.pcap --plan b --loss 0%", "--loss cannot be combined with --plan"),
        ("replay a.pcap --plan b --delay 1ms --keep-order", "--delay cannot be combined with --plan"),
        ("replay a.pcap --plan -", "--plan is read twice, which standard input does not allow"),
        ("replay a.pcap --force", "--force requires --record"),
        ("replay a.pcap --loop 0 --wait 1s", "--wait requires an end: --loop 0 goes on until Ctrl-C"),
        ("replay a.pcap --record -", "--record requires a file: standard output is the report's"),
        ("replay a.pcap --record b.telecap", "--record writes pcapng, whatever its name: end it in .pcapng"),
        ("ahap play a.ahap --to a:1 --record b.csv", "--record writes pcapng, whatever its name"),
        ("replay a.pcap --dry-run --loop 1", "--loop cannot be combined with --dry-run, which sends nothing"),
        ("replay a.pcap --dry-run --record b", "--record cannot be combined with --dry-run"),
        ("replay a.pcap --dry-run --force", "--force cannot be combined with --dry-run"),
        ("replay a.pcap --dry-run --fail-if-late 1s", "--fail-if-late cannot be combined with --dry-run"),
        ("replay a.pcap --dry-run --wait 200ms", "--wait cannot be combined with --dry-run"),
        ("replay a.pcap --dry-run --to model:host", "--dry-run lists destinations, which are unknown"),
        ("replay a.pcap --dry-run --to simulate:host", "--dry-run lists destinations, which are unknown"),
        ("replay a.pcap --to model:host --loop 2", "--loop requires sockets and a clock, which a model does not have"),
        ("replay a.pcap --to model:host --record b --force", "--record requires sockets and a clock"),
        ("replay a.pcap --to model:host --fail-if-late 1s", "--fail-if-late requires sockets and a clock"),
        ("replay a.pcap --to model:host --wait 1s", "--wait requires sockets and a clock"),
        ("replay a.pcap --to model:host --force", "--force requires --record"),
        ("replay a.pcap --to model:host --tcp-port 9", "--tcp-port requires an address: our own peers choose"),
        ("replay a.pcap --to simulate:host --tcp-port 9", "--tcp-port requires an address: our own peers choose"),
        ("replay a.pcap --shrink-runs 9", "--shrink-runs requires --shrink"),
        ("replay a.pcap --to a.yaml --shrink-runs 9", "--shrink-runs requires --shrink"),
        ("replay a.pcap --to a.yaml --force", "--force requires --record"),
        ("ahap play a.ahap --to model:phone --wait 1s", "--wait requires sockets and a clock"),
        ("ahap play a.ahap --to a.yaml", "--to is HOST:PORT of a phone, simulate:phone or model:phone"),
        ("ahap play a.ahap --to udp://127.0.0.1:9?role=phone", "--to is HOST:PORT of a phone"),
        ("record --relay udp:4001=127.0.0.1:4002 -oi a.telecap lo", "--interface "),
        ("ahap play a.ahap --to model:phone --force", "--force requires --record"),
        ("ahap play a.ahap --to a:1 --dry-run --wait 1s", "--wait cannot be combined with --dry-run"),
        ("ahap play a.ahap --to a:1 --where 1", "--where requires an impairment"),
        ("ahap play a.ahap --to a:1 --tele-tcp 5", "--tele-tcp has no effect: a host plays over --tele-udp"),
        ("ahap play a.ahap --to model:phone --tele-udp 5", "--tele-udp requires an address: our own phone receives"),
        ("ahap play a.ahap --to simulate:phone --tele-udp 5", "--tele-udp requires an address"),
        ("ahap play a.ahap --to a:1 --tcp-port 5", "Unknown option '--tcp-port'"),
      ], oneIn: 3))
  func replays(_ line: String, _ words: String) throws { try expectRefusal(line, words) }

  @Test(
    "What only a phone sends is not put into what others sent, whoever names the sender",
    arguments: sampled(
      [
        ("a.pcap --role host --code ABC123", "--code requires packets of a phone: a host sends no HELLO"),
        ("a.pcap --role host --session-id 5", "--session-id requires packets of a phone"),
        ("a.pcap --role mouse --restamp", "--restamp requires packets of a phone: a mouse sends no poses"),
        ("a.pcap --role host --tcp-port 9", "--tcp-port requires packets of a client: a host opens no streams"),
        ("a.pcap --to simulate:phone --code ABC123", "--code requires packets of a phone"),
        ("a.pcap --to model:mouse-host --restamp", "--restamp requires packets of a phone"),
        ("a.pcap --role mouse --to a.yaml --code ABC123", "--code requires packets of a phone: a mouse sends no HELLO"),
        ("a.pcap --role host --to a.yaml --restamp", "--restamp requires packets of a phone"),
        ("a.pcap --to model:mouse --code ABC123", "--code requires packets of a phone: a mouse-host sends no HELLO"),
        ("\(drag) --code ABC123", "--code requires packets of a phone: a mouse sends no HELLO"),
        (
          "a.pcap --protocol \(dsu) --role dsu-client --code ABC123", "--code requires packets of a phone: a dsu-client"
        ),
        (
          "a.pcap --protocol \(dsu) --role dsu-host --tcp-port 9", "--tcp-port requires packets of a client: a dsu-host"
        ),
        (
          "a.pcap --protocol \(dsu) --role dsu-client --tcp-port 9",
          "--tcp-port requires a protocol over TCP: a dsu-client"
        ),
        ("a.pcap --protocol \(dsu) --to model:dsu-host --restamp", "--restamp requires packets of a phone"),
      ], oneIn: 7))
  func senders(_ words: String, _ expected: String) throws { try expectRefusal("replay \(words)", expected) }

  private static let drag = Project.file("Captures/mouse-drag.pcapng").path
  private static let dsu = Project.file("Scenarios/protocols/dsu.yaml").path

  @Test(
    "A role that does not exist is told, whatever else was asked for", arguments: ["--code ABC123", "--tcp-port 9"])
  func noRole(_ option: String) throws {
    let end = try Program.run("replay \(Self.drag) --role mose \(option)")
    #expect(end.status == 64)
    #expect(
      end.errors == """
        telecap: there is no role "mose"; there are phone, mouse, host and mouse-host
          did you mean mouse?

        """)
  }

  @Test("A system that all runs share is run once at a time")
  func jobs() throws {
    let end = try Program.run("conform --sut udp://127.0.0.1:1?role=host --jobs 2")
    #expect(end.status == 64 && end.errors.contains("run one after the other: it is one program, which somebody else"))
  }

  @Test(
    "More seeds than a scenario may have cases are refused before any runs, and those that change nothing are not counted"
  )
  func seeds() throws {
    let grid = "conform --sut model:phone --only tele.haptic.latest-value-wins.grid --dry-run"
    let all = try Program.run("\(grid) --seeds 100000")
    #expect(all.status == 64 && all.errors.contains("--seeds 100000: tele.haptic.latest-value-wins.grid would have "))
    #expect(all.errors.contains(" cases, and a scenario has at most 100,000\n  give fewer --seeds"), "\(all.errors)")
    #expect(try Program.run("\(grid) --seeds 100000 --case-seed 7").status == 64)
    #expect(try Program.run("\(grid) --seeds 400").status == 0)
    // Nothing is random in its fifteen cases: each runs once, whatever the seed.
    let pieces = try Program.run("conform --sut model:host --only tele.tcp.framing --dry-run --seeds 100000")
    #expect(pieces.status == 0 && pieces.lines.count == 15)
  }

  @Test("The code that a phone under test is given is no rewriting")
  func codeOfSystem() throws {
    #expect(try Program.run("replay a.pcap --role host --to a.yaml --code ABC123").status == 66)
  }

  @Test(
    "What runs nothing takes no option of a run, and models and programs have their own",
    arguments: sampled(
      [
        ("--list --sut models", "--sut cannot be combined with --list, which runs nothing"),
        ("--list --dry-run", "--dry-run cannot be combined with --list"),
        ("--list --strict", "--strict cannot be combined with --list"),
        ("--list --fail-fast", "--fail-fast cannot be combined with --list"),
        ("--list --last-failed", "--last-failed cannot be combined with --list"),
        ("--dry-run --fail-fast", "--fail-fast cannot be combined with --dry-run"),
        (
          "--last-failed --case-seed 1",
          "--last-failed cannot be combined with --case-seed, --case-network and --pieces"
        ),
        ("--list --seeds 2", "--seeds cannot be combined with --list"),
        ("--list --case-seed 2", "--case-seed cannot be combined with --list"),
        ("--list --jobs 1", "--jobs cannot be combined with --list"),
        ("--list --time-limit 9s", "--time-limit cannot be combined with --list"),
        ("--list --case-network none", "--case-network cannot be combined with --list"),
        ("--list --pieces 1", "--pieces cannot be combined with --list"),
        ("--list --junit x", "--junit cannot be combined with --list"),
        ("--list --tap x", "--tap cannot be combined with --list"),
        ("--list --json x", "--json cannot be combined with --list"),
        ("--list --markdown x", "--markdown cannot be combined with --list"),
        ("--list --html x", "--html cannot be combined with --list"),
        ("--list --shrink", "--shrink cannot be combined with --list"),
        ("--list --artifacts x", "--artifacts cannot be combined with --list"),
        ("--dry-run --junit x", "--junit cannot be combined with --dry-run, which runs nothing"),
        ("--dry-run --shrink", "--shrink cannot be combined with --dry-run"),
        ("--dry-run --strict", "--strict cannot be combined with --dry-run"),
        ("--dry-run --jobs 2", "--jobs cannot be combined with --dry-run"),
        ("--level must --strict", "--strict cannot be combined with --level must, which leaves out every should"),
        ("--case-seed 2 --seeds 3", "--seeds cannot be combined with --case-seed, which selects one run"),
        ("--pieces 0", "--pieces is 1 or more bytes"), ("--pieces=-1", "--pieces is 1 or more bytes"),
        ("--sut a.yaml --explore 3", "--explore requires a model"),
        ("--explore 3 --seeds 2", "--seeds cannot be combined with --explore"),
        ("--explore 9", "--explore is 2 to 8"),
        ("--sut model:phone --time-limit 9s", "--time-limit requires a system on the wall clock"),
        ("--time-limit 9s", "--time-limit requires a system on the wall clock"),
        (
          "--sut a.yaml --case-seed 2 --time-limit 9s",
          "--time-limit cannot be combined with --case-seed, --case-network and --pieces"
        ),
        ("--shrink-runs 9", "--shrink-runs requires --shrink"),
        ("--artifacts -", "--artifacts requires a directory: standard output takes one report, such as --json -"),
        ("--tele-udp 5", "Unknown option '--tele-udp'"), ("--mouse-tcp=5", "Unknown option '--mouse-tcp'"),
      ], oneIn: 2))
  func suites(_ words: String, _ expected: String) throws { try expectRefusal("conform \(words)", expected) }

  @Test(
    "What a simulated peer does not do has no settings",
    arguments: [
      (
        "host --forces f.csv --waveform sine", "--waveform cannot be combined with --forces, which defines the messages"
      ),
      ("host --forces f.csv --period 2s", "--period cannot be combined with --forces"),
      ("host --min 0", "--min requires --forces"), ("host --max 1", "--max requires --forces"),
      ("host --waveform off --period 2s", "--period requires a waveform"),
      ("host --tele-tcp 5", "--tele-tcp has no effect: the host listens to --tele-udp"),
      ("host --transport tcp --tele-udp 5", "--tele-udp has no effect: the host listens to --tele-tcp"),
      ("host --mouse-udp 5", "--mouse-udp has no effect"),
      ("phone --path rest --period 2s", "--period requires --path circle or line"),
      ("phone --path rest --size 1", "--size requires --path circle or line"),
      ("phone --tele-tcp 5", "--tele-tcp has no effect: the phone sends to --tele-udp"),
      ("phone --to a:1 --tele-udp 5", "--tele-udp has no effect: --to a:1 names the port"),
      ("mouse --events e --figure square", "--figure cannot be combined with --events, which defines the movement"),
      ("mouse --events e --size 300", "--size cannot be combined with --events"),
      ("mouse --tele-udp 5", "--tele-udp has no effect: a mouse has --mouse-udp and --mouse-tcp"),
      ("mouse-host --tele-udp 5", "--tele-udp has no effect"),
    ])
  func peers(_ words: String, _ expected: String) throws { try expectRefusal("simulate \(words)", expected) }

  @Test(
    "Patterns, clocks and touches",
    arguments: [
      ("ahap make heavy --frequency 1", "--frequency requires multi"),
      ("ahap make heavy --amplitude 1", "--amplitude requires multi"),
      ("ahap make multi --intensity 1", "--intensity requires gradual"),
      ("ahap render a.ahap --rate-hz 1000", "--rate-hz requires --csv"),
      ("ahap render a.ahap -o x.svg --rate-hz 9", "--rate-hz requires --csv"),
      ("ahap render a.ahap -o x.svg --csv", "--csv requires standard output or a name that ends in .csv: x.svg is"),
      ("sync --audio-drift 9", "--audio-drift requires --set-every: drift adds up between settings"),
      ("sync --haptic-drift 9", "--haptic-drift requires --set-every"),
      (
        "sync --audio 200s",
        "The value '200s' is invalid for '--audio <time>': \"200s\" is too long; expected at most 100s"
      ),
      (
        "sync --audio-jitter 101s",
        "The value '101s' is invalid for '--audio-jitter <time>': \"101s\" is too long; expected at most 100s"
      ),
      (
        "sync --haptic 101s",
        "The value '101s' is invalid for '--haptic <time>': \"101s\" is too long; expected at most 100s"
      ),
      (
        "sync --delta 101s",
        "The value '101s' is invalid for '--delta <time>': \"101s\" is too long; expected at most 100s"
      ),
      (
        "sync --haptic-jitter 101s",
        "The value '101s' is invalid for '--haptic-jitter <time>': \"101s\" is too long; expected at most 100s"
      ),
      (
        "sync --arming 100001ms",
        "The value '100001ms' is invalid for '--arming <time>': \"100001ms\" is too long; expected at most 100s"
      ),
      (
        "sync --set-every 3601s --haptic-drift 9",
        "The value '3601s' is invalid for '--set-every <time>': \"3601s\" is too long; expected at most 3600s"
      ),
      ("sync --set-every 9s --haptic-drift 100001", "--haptic-drift is -100000 to 100000 ppm"),
      ("sync --set-every 9s --audio-drift=-9223372036854775808", "--audio-drift is -100000 to 100000 ppm"),
      ("sync --set-every 9s", "--set-every requires --audio-drift or --haptic-drift"),
      ("touch a.jsonl --store x --no-pressure", "--no-pressure requires --views"),
      ("touch a.jsonl --store x --loss 5%", "--loss requires --views"),
      ("touch a.jsonl --store x --seed 5", "--seed requires --views"),
      ("touch a.jsonl --store x --plan y", "--plan requires --views"),
      ("touch a.jsonl --store x --write-plan y", "--write-plan requires --views"),
      ("touch a.jsonl --store x --format json", "--format requires --views"),
      ("touch a.jsonl --views v --plan y --loss 5%", "--loss cannot be combined with --plan, which decides everything"),
      ("touch a.jsonl --views v --plan y --seed 5", "--seed cannot be combined with --plan"),
      ("touch a.jsonl --views v --plan y --write-plan z", "--write-plan cannot be combined with --plan"),
      ("touch a.jsonl --views v --seed 5", "--seed requires an impairment"),
      ("touch a.jsonl --views v --force", "--force requires --store FILE or --write-plan FILE"),
      ("touch a.jsonl --views v --write-plan - --force", "--force requires --store FILE or --write-plan FILE"),
      ("touch a.jsonl --store -", "--store requires a file: a capture is a database"),
      ("touch a.jsonl --views v --touch-udp 9", "--touch-udp requires a capture, or with --store"),
    ])
  func patterns(_ line: String, _ words: String) throws { try expectRefusal(line, words) }

  @Test(
    "What has an effect is taken: only the file is missing",
    arguments: [
      "replay a.pcap --plan b --wait 1s --to simulate:host", "replay a.pcap --role mouse --tcp-port 9",
      "replay a.pcap --where 1 --loss 5%", "replay a.pcap --code ABC123 --to model:host",
      "ahap render a.ahap -o x.csv --rate-hz 9 --force", "ahap render a.ahap -o x.txt --csv",
      "ahap play a.ahap --to a:1 --tele-udp 5", "conform --sut a.yaml --case-seed 2 --time-limit 9s --shrink",
      "conform --sut a.yaml --time-limit 9s --dry-run", "touch a.pcap --views v --touch-udp 9 --format json",
      "touch a.jsonl --store x --touch-udp 9 --force", "touch a.jsonl --views v --seed 5 --write-plan x",
      "touch a.jsonl --views v --plan y --no-pressure", "simulate host --forces f.csv --min 0 --max 2",
      "touch a.jsonl --views v --store x --write-plan - --force", "simulate mouse --events e --mouse-tcp 5",
      "dissect a.pcap --tele-udp 5 --where 1",
    ])
  func taken(_ line: String) throws {
    let end = try Program.run(line)
    #expect(end.status == 66, "\(end.errors)")
  }

  @Test(
    "Of an option that is given twice only the last would count",
    arguments: [
      ("plan a.pcap --loss 5% --loss=1%", "--loss is given twice"), ("conform --list --list", "--list is given twice"),
      ("export a.pcap -o a.csv --output b.csv", "--output is given twice"),
      ("info a.pcap --tele-udp 5 --tele-udp 6", "--tele-udp is given twice"),
      ("info a.pcap --port tele-udp=5 --tele-udp 6", "--tele-udp is given twice"),
    ])
  func twice(_ line: String, _ words: String) throws { try expectRefusal(line, words) }

  @Test("An option is a list where its help says so, and no other")
  func lists() throws {
    let options = try CommandDump.program().all.flatMap(\.options)
    let lists = Set(options.filter(\.isRepeating).flatMap(\.names))
    let others = Set(options.filter { !$0.isRepeating }.flatMap(\.names))
    #expect(lists == [String].listOptions)
    #expect(lists.intersection(others) == ["plan"])
  }

  /// What only the recording can tell.
  private static let handle = "0x0910=1C8FD138-FC18-4846-954D-E509366AEF63"

  @Test(
    "What strikes or chooses nothing of a recording is said, and is no success",
    arguments: sampled(
      [
        (
          "plan tcp-v1 --loss 5%", 64,
          "all that the phone sent went over TCP, whose streams keep every byte in its order"
        ),
        (
          "plan tcp-v1 --role host", 65,
          "nothing to send again of what a host sent\n  TCP streams of the host left out: "
        ),
        ("plan busy --role host --from 1h", 65, "sent\n  choose another side with --role, or another time with --from"),
        ("replay tcp-v1 --loss 5% --dry-run", 64, "all that the phone sent went over TCP"),
        ("plan tcp-v1", 0, "plan "),
        (
          "plan busy --loss 5% --where 'seq >= 0' --gatt \(handle)", 0, "--gatt: no value of 0x0910 is in the recording"
        ),
        ("plan busy --loss 5% --gatt \(handle)", 0, "--gatt: no value of 0x0910 is in the recording"),
        ("replay busy --to model:host --gatt \(handle)", 0, "--gatt: no value of 0x0910 is in the recording"),
        ("info busy --gatt \(handle)", 0, "--gatt: no value of 0x0910 is in the recording"),
        ("export busy --gatt \(handle)", 0, "--gatt: no value of 0x0910 is in the recording"),
        ("report busy --gatt \(handle)", 0, "--gatt: no value of 0x0910 is in the recording"),
        ("senses --capture busy --gatt \(handle)", 0, "--gatt: no value of 0x0910 is in the recording"),
        ("ahap from force-ramp --gatt \(handle)", 0, "--gatt: no value of 0x0910 is in the recording"),
        ("plan busy --loss 5% --where 'seq < 0'", 64, "--where \"seq < 0\" chooses no message"),
        ("dissect busy --where \"type = 'POSES'\"", 0, "--where \"type = 'POSES'\" chooses no message"),
        ("dissect busy --where \"type = 'POSES'\" --fail-on note", 64, "--where \"type = 'POSES'\" chooses no message"),
        ("ahap from force-ramp --where 'seq < 0'", 64, "--where \"seq < 0\" chooses no message"),
        ("export busy --where 'seq < 0'", 64, "--where \"seq < 0\" chooses no message"),
      ], oneIn: 3))
  func recorded(_ line: String, _ status: Int32, _ said: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let name = words[["ahap", "senses"].contains(words[0]) ? 2 : 1]
    let path = "'\(Project.file("Captures/\(name).pcapng").path)'"
    let run = try Program.shell("'\(Program.path)' " + line.replacing(" \(name)", with: " \(path)", maxReplacements: 1))
    let all = run.output + run.errors
    #expect(run.status == status && all.contains(said), "\(run.errors)")
    #expect(run.errors.components(separatedBy: said).count <= 2, "it is told once: \(run.errors)")
  }

  @Test("A scenario of datagrams is not cut into pieces")
  func pieces() throws {
    let run = try Program.run(["conform", "--only", "tele.hello.ack-every", "--pieces", "3"])
    #expect(
      run.status == 64 && run.errors.contains("--pieces: no scenario that is chosen has a stream"), "\(run.errors)")
  }

  @Test("A phone that no host lets in says so, and why")
  func notLetIn() throws {
    let silent = try Program.run("simulate phone --tele-udp 9 --duration 300ms")
    #expect(silent.status == 69, "\(silent.errors)")
    let port = try freePort()
    let host = try Program.start(["simulate", "host", "--code", "ABC123", "--tele-udp", "\(port)"])
    defer { host.signal(SIGTERM) }
    try host.wait("UDP") { host.errors.contains("UDP 127.0.0.1") }
    let refused = try Program.run("simulate phone --code XYZ789 --tele-udp \(port) --duration 1500ms")
    #expect(refused.status == 69 && refused.errors.contains("no host let it in: it was answered"), "\(refused.errors)")
  }

  @Test("Options are known by the words before --, with their values behind = or not")
  func names() throws {
    let words = ["conform", "--case-network=--loss 5%", "--case-seed", "-1", "-i", "en0", "-o=x", "-", "--", "--jobs"]
    #expect(try Given.names(in: words) == ["case-network", "case-seed", "interface", "output"])
    #expect(Given.options.isEmpty)
  }
}

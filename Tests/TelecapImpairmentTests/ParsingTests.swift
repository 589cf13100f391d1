import TelecapImpairment
import Testing

@Suite("Options of the command line")
struct ParsingTests {
  @Test(
    "Options are printed in their canonical form",
    arguments: [
      ("--loss 5%", "--loss 5%"), ("--loss 0.05", "--loss 5%"), ("--loss 5%,25%", "--loss 5%,25%"),
      ("--loss 0.0000001%", "--loss 0.0000001%"), ("--loss 1.0", "--loss 100%"), ("--loss 0", "--loss 0%"),
      ("--loss 5%,0%", "--loss 5%"),
      ("--loss-model gemodel:1%,10%", "--loss-model gemodel:1%,10%,100%,0%"),
      ("--loss-model gemodel:1%", "--loss-model gemodel:1%,99%,100%,0%"),
      ("--loss-model state:1%", "--loss-model state:1%,99%,0%,100%,0%"),
      ("--loss-model state:1%,30%,20%,50%,0.5%", "--loss-model state:1%,30%,20%,50%,0.5%"),
      ("--delay 20ms --jitter 10ms --distribution normal", "--delay 20ms --jitter 10ms --distribution normal"),
      ("--keep-order --delay 1500us", "--delay 1.5ms --keep-order"), ("--jitter 2s", "--delay 0s --jitter 2s"),
      ("--delay 500µs --distribution uniform", "--delay 500us"),
      ("--delay 20min", "--delay 1200s"), ("--delay 1.5h", "--delay 5400s"), ("--delay 24h", "--delay 86400s"),
      ("--reorder 5%,3", "--reorder 5%,3"), ("--reorder 5%,1", "--reorder 5%"),
      ("--rate 64kbit", "--rate 64kbit"), ("--rate 64kbit,100", "--rate 64kbit,100"),
      ("--rate 1.5Mbit", "--rate 1500kbit"),
      ("--stall 500ms@5s", "--stall 500ms@5s"),
      ("--stall 1s@2s --corrupt 1% --duplicate 2%", "--corrupt 1% --duplicate 2% --stall 1s@2s"), ("", ""),
    ])
  func canonical(_ text: String, _ expected: String) throws {
    let impairments = try Impairments(parsing: text)
    #expect(impairments.description == expected)
    #expect(try Impairments(parsing: expected) == impairments)
  }

  @Test("Options with spaces, as a shell passes them in quotes, are parsed")
  func quoted() throws {
    #expect(try Rate(parsing: "64kbit,limit 100") == Rate(bitsPerSecond: 64_000, limit: 100))
    #expect(try Reorder(parsing: "5%, gap 3") == Reorder(Probability(percent: 5), gap: 3))
    #expect(try Stall(parsing: "500ms every 5s") == Stall(length: .milliseconds(500), period: .seconds(5)))
    #expect(try Speed(parsing: "2x") == .times(millionths: 2_000_000))
    #expect(try Speed(parsing: "max") == .max)
    #expect(try Speed(parsing: "0.5").description == "0.5x")
  }

  static let probability = "expected a probability from 0% to 100%, such as 5% or 0.05"
  static let time = "expected a time with its unit (ns, us, ms, s, min or h), such as 20ms, 500us or 2s"
  static let rate =
    "expected a rate in bit, kbit, mbit or gbit a second and perhaps a queue length, such as 64kbit or 64kbit,100"

  @Test(
    "An error shows the wrong text and what was expected",
    arguments: [
      ("--loss 150%", "\"150%\" is more than 100%; \(probability)"),
      ("--loss 5", "\"5\" has no percent sign; \(probability)"),
      ("--loss -1%", "\"-1%\" is not a probability; \(probability)"),
      ("--loss 5%%", "\"5%%\" is not a probability; \(probability)"),
      ("--corrupt .5%", "\".5%\" is not a probability; \(probability)"),
      ("--duplicate 99999999999999999999%", "\"99999999999999999999%\" is more than 100%; \(probability)"),
      ("--loss 0.00000001%", "\"0.00000001%\" is finer than a billionth; \(probability)"),
      (
        "--loss 1%,2%,3%",
        "\"1%,2%,3%\" has 3 values; expected a probability and perhaps its correlation, such as 5% or 5%,25%"
      ),
      (
        "--loss-model ge:1%",
        "\"ge\" is not a loss model; expected gemodel:p,r,1-h,1-k or state:p13,p31,p32,p23,p14"
      ),
      (
        "--loss-model gemodel:1%,1%,1%,1%,1%",
        "\"gemodel:1%,1%,1%,1%,1%\" has 5 values; expected one to four probabilities p,r,1-h,1-k, such as gemodel:1%,10%"
      ),
      (
        "--loss-model state:5%,30%,80%",
        "\"state:5%,30%,80%\" leaves a state with more than 100%; expected p13 + p14 and p31 + p32 of at most 100% each"
      ),
      ("--delay 20", "\"20\" has no unit; \(time)"), ("--delay fast", "\"fast\" is not a time; \(time)"),
      ("--delay 20m", "\"20m\" is not a time; \(time)"),
      ("--jitter 0.5ns", "\"0.5ns\" is finer than a nanosecond; \(time)"),
      ("--delay 86401s", "\"86401s\" is longer than a day; \(time)"),
      ("--distribution gauss", "\"gauss\" is not a distribution; expected uniform, normal, pareto or paretonormal"),
      ("--reorder 5%,0", "\"0\" is not a gap; expected a whole number from 1 to 65535"),
      ("--rate 64kbps", "\"64kbps\" is not a rate; \(rate)"), ("--rate 0bit", "\"0bit\" is not a rate; \(rate)"),
      ("--rate 64kbit,0", "\"0\" is not a queue length; expected a whole number from 1 to 1000000"),
      ("--stall 500ms", "\"500ms\" is not a stall; expected how long and how often, such as 500ms@5s"),
      (
        "--stall 5s@5s",
        "\"5s@5s\" stalls for its whole period, so nothing would leave; expected how long and how often, such as 500ms@5s"
      ),
      ("--loss", "\"--loss\" has no value; expected a value after it"),
    ])
  func errors(_ text: String, _ sentence: String) {
    #expect(throws: ImpairmentSyntaxError.self) { try Impairments(parsing: text) }
    do throws(ImpairmentSyntaxError) { _ = try Impairments(parsing: text) } catch {
      #expect(error.description == sentence)
    }
  }

  @Test("An invalid speed is an error")
  func speeds() {
    for text in ["", "x", "0x", "-1x", "fast", "2000000x"] {
      #expect(throws: ImpairmentSyntaxError.self) { try Speed(parsing: text) }
    }
  }
}

import ArgumentParser
import OneTimePassword
import Primitives

/// `oath ocra`.
struct OCRACommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ocra", abstract: "Calculate an answer to a challenge or a signature (RFC 6287).",
        discussion: """
            Give the inputs that the suite names: --counter for C, --session for S. The program asks for the PIN of P. For
            mutual authentication give both questions as one text, in the order in which they enter the code.
            """)

    @OptionGroup var options: OATHOptions

    @Option(help: "The suite, for example OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1.")
    var suite: String

    @Option(help: "The question, or the data to sign.")
    var question: String

    @Option(help: "The counter.")
    var counter: UInt64?

    @Option(name: .customLong("pin-fd"), help: "Read the PIN from this descriptor instead of asking for it.")
    var pinDescriptor: Int32?

    @Option(help: "The session information.")
    var session: String?

    @Option(help: "The time: seconds since 1970 or 2009-02-13T23:31:30Z. (default: now)")
    var timestamp: MomentArgument?

    @Flag(help: "Accept a suite with ten digits, as old tokens have (RFC 6287 erratum 3730).")
    var tenDigits = false

    func run() throws {
        try OATHOptions.reported(calculate)
    }

    private func calculate() throws {
        let suite = try OCRA.Suite(suite, allowsTenDigits: tenDigits)
        guard pinDescriptor == nil || suite.pinAlgorithm != nil else {
            throw ValidationError("the suite has no PIN")
        }
        guard options.window == 0 || suite.hasCounter || suite.timeStep != nil else {
            throw ValidationError("--window needs a suite with a counter or the time")
        }
        let key = try options.key(suite.algorithm)
        var pin: OCRA.PIN?
        if suite.pinAlgorithm != nil {
            pin = try OCRA.PIN(SecretInput.read(descriptor: pinDescriptor, prompt: "PIN", option: "--pin-fd"))
        }
        let ocra = try OCRA(suite: suite, key: key, pin: pin)
        var codes: [OneTimeCode] = []
        for input in inputs(suite) { codes.append(try ocra.code(for: input)) }
        options.show(codes)
    }

    /// Returns the input, and the inputs of the counters or time steps that follow.
    private func inputs(_ suite: OCRA.Suite) -> [OCRA.Input] {
        let isLong = question.utf8.count > suite.questionLength
        var time = timestamp?.time
        if time == nil, suite.timeStep != nil { time = SystemTimeSource().now() }
        let input = OCRA.Input(
            isLong ? .concatenated(question) : .challenge(question), counter: counter,
            session: session.map { Array($0.utf8) }, time: time)
        return (0...options.window).map { ahead in
            var next = input
            if suite.hasCounter {
                next.counter = counter.map { $0 &+ UInt64(ahead) }
            } else if let step = suite.timeStep {
                next.time = time?.advanced(seconds: Int64(ahead) * Int64(step))
            }
            return next
        }
    }
}

import ArgumentParser
import OneTimePassword
import Primitives

/// `oath`: a calculator for one-time passwords from a given key, without a store and without a platform.
struct OATHCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oath",
        abstract: "Calculate one-time passwords from a key, as oathtool does.",
        subcommands: [TOTPCommand.self, HOTPCommand.self, OCRACommand.self, OATHBatchCommand.self])
}

/// The options that the three calculators share.
struct OATHOptions: ParsableArguments {
    @Option(name: .customLong("key-fd"), help: "Read the key from this descriptor instead of asking for it.")
    var keyDescriptor: Int32?

    @Option(help: "How the key is written: auto (hexadecimal where it can be, else Base32), hex or base32.")
    var keyFormat: OneTimePasswordKey.TextFormat = .automatic

    @Option(help: "The number of further codes to print, of the counters or time steps that follow (at most 100000).")
    var window = 0

    @Flag(help: "Print JSON.")
    var json = false

    mutating func validate() throws {
        guard 0...100_000 ~= window else { throw ValidationError("--window must be 0 to 100000") }
    }

    /// Reads the key.
    func key(_ algorithm: HashAlgorithm) throws -> OneTimePasswordKey {
        let text = try SecretInput.read(descriptor: keyDescriptor, prompt: "Key", option: "--key-fd")
        return try OneTimePasswordKey(text: text, format: keyFormat, algorithm: algorithm)
    }

    /// Prints codes, one per line.
    func show(_ codes: [OneTimeCode], expiresIn lifetime: Duration? = nil) {
        guard json else {
            for code in codes { print(code.digits) }
            return
        }
        // The order of the fields is fixed, which JSONEncoder does not offer. Digits need no escapes.
        let texts = codes.map { "\"\($0.digits)\"" }
        var fields = ["\"oneTimePassword\":\(texts[0])"]
        if window > 0 { fields.append("\"following\":[\(texts.dropFirst().joined(separator: ","))]") }
        if let lifetime { fields.append("\"expiresIn\":\(Int((lifetime / .seconds(1)).rounded(.up)))") }
        print("{\(fields.joined(separator: ","))}")
    }

    /// Turns a library error into a usage error, which has its own exit code.
    static func reported<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as OneTimePasswordError {
            throw ValidationError(error.description)
        }
    }
}

extension OneTimePasswordKey.TextFormat: ExpressibleByArgument {}

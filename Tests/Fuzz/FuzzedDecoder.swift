/// A decoder under test: it receives any bytes, and its promises must hold for those that it accepts.
struct FuzzedDecoder: Sendable {
    /// The name of its folder of seeds.
    let name: String

    /// Decodes, and ends the process if a promise is broken. Returns whether the bytes were accepted.
    let decode: @Sendable ([UInt8]) -> Bool

    /// All decoders. The first byte of an input is the index in this list, so inputs that a fuzzer has collected lose
    /// their meaning when the list changes. Seeds have names and keep theirs.
    static let all = wire + channel + text + credentials + stored + bodies

    /// Feeds an input to the decoder that its first byte names.
    static func run(_ input: [UInt8]) {
        guard let first = input.first, Int(first) < all.count else { return }
        _ = all[Int(first)].decode(Array(input.dropFirst()))
    }
}

/// Ends the process if a promise is broken, so that the fuzzer keeps the input.
func promise(_ isKept: Bool, _ words: StaticString) {
    guard !isKept else { return }
    fatalError("\(words)")
}

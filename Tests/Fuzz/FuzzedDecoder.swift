/// A decoder under the fuzzer: takes any bytes, and must keep its promises about those that it accepts.
struct FuzzedDecoder: Sendable {
    /// The name of its folder of seeds.
    let name: String

    /// Decodes, and ends the process where a promise is broken. Gives back whether the bytes were accepted.
    let decode: @Sendable ([UInt8]) -> Bool

    /// All of them. The first byte of an input is the place in this list, so what a fuzzer has collected loses its meaning
    /// when the list changes; seeds have names, and keep theirs.
    static let all = wire + channel + text + credentials + stored + bodies

    /// Feeds an input to the decoder that its first byte names.
    static func run(_ input: [UInt8]) {
        guard let first = input.first, Int(first) < all.count else { return }
        _ = all[Int(first)].decode(Array(input.dropFirst()))
    }
}

/// Ends the process when a promise is broken, so that the fuzzer keeps the input.
func promise(_ isKept: Bool, _ words: StaticString) {
    guard !isKept else { return }
    fatalError("\(words)")
}

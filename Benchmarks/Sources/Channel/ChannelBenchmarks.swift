import SecureChannel

/// Sealing, opening, signing and verifying, layer by layer, each beside the calls of swift-crypto that it is made of.
func channelBenchmarks() {
    symmetricBenchmarks()
    requestBenchmarks("classic", .classic)
    requestBenchmarks("hybrid", .hybrid)
    answerBenchmarks()
    signatureBenchmarks()
}

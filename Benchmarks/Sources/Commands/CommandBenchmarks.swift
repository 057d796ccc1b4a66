/// Registers encoding, decoding and the text forms, each with a copy of the same bytes as floor and Foundation as peer.
func commandBenchmarks() {
    encodingBenchmarks()
    decodingBenchmarks()
    textBenchmarks()
}

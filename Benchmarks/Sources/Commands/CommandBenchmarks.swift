/// Encoding, decoding and the forms as text, each beside a copy of the same bytes and what Foundation has for it.
func commandBenchmarks() {
    encodingBenchmarks()
    decodingBenchmarks()
    textBenchmarks()
}

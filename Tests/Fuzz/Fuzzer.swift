#if FUZZING
    /// Runs libFuzzer. Its own main is not linked, because the tools of a build, which are
    /// linked with the same options, have theirs.
    @main
    enum Fuzzer {
        static func main() {
            var count = CommandLine.argc
            var arguments = unsafe CommandLine.unsafeArgv
            _ = unsafe runDriver(&count, &arguments) { start, count in
                FuzzedDecoder.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
                return 0
            }
        }
    }

    /// `LLVMFuzzerRunDriver` of compiler-rt. It calls the function with inputs until a limit is reached.
    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<CInt>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
        _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt
#endif

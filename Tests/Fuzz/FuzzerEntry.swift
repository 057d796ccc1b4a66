#if FUZZING
    /// Where libFuzzer comes in: it brings a `main` of its own.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzzerTestOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        FuzzedDecoder.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif

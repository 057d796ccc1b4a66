extension [UInt8] {
    /// A copy of bytes that are no secret, or that the caller wipes.
    package init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
}

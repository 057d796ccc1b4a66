extension [UInt8] {
    /// Overwrites the bytes with zeros where they lie, for a secret that could not be kept in a ``SecretBytes``
    /// throughout: what goes into or comes out of a coder, for instance.
    ///
    /// Whoever else has the array at this moment keeps the bytes: a copy of them is wiped then, and not they.
    package mutating func wipe() {
        unsafe withUnsafeMutableBufferPointer { unsafe SecretBytes.wipe($0) }
    }
}

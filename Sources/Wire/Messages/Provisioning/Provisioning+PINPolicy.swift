extension Provisioning {
    /// What the password must be like, as far as the platform decides it.
    package struct PINPolicy: Sendable, Hashable {
        /// In characters, 1 to 128.
        package var minimumLength: Int

        /// In characters, not below the minimum, 128 at most.
        package var maximumLength: Int

        package var digitsOnly: Bool

        /// After how many wrong passwords in a row the instance is locked, 1 to 255.
        package var tries: Int

        package init(minimumLength: Int, maximumLength: Int, digitsOnly: Bool, tries: Int) {
            self.minimumLength = minimumLength
            self.maximumLength = maximumLength
            self.digitsOnly = digitsOnly
            self.tries = tries
        }

        init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 4)
            minimumLength = try reader.readNumber(in: 1...128)
            maximumLength = try reader.readNumber(in: minimumLength...128)
            digitsOnly = try reader.readBoolean()
            tries = try reader.readNumber(in: 1...255)
        }

        func write(to output: inout some CBOROutput) {
            output.array(4)
            output.integer(Int64(minimumLength))
            output.integer(Int64(maximumLength))
            output.boolean(digitsOnly)
            output.integer(Int64(tries))
        }
    }
}

internal import Crypto
internal import OrchestrationProtocol

/// The SHA-256 of sealed data, with the limit on its length.
struct SealHash {
    private var hash = SHA256()
    private var count = 0

    /// The error for data of more than 64 MiB.
    static var tooLarge: OrchestrationError {
        OrchestrationError(.invalidSealData("the data has more than \(SealContent.maximumBytes) bytes"))
    }

    /// Adds bytes.
    ///
    /// - Throws: `invalidSealData` for more than 64 MiB together.
    mutating func update(_ bytes: [UInt8]) throws(OrchestrationError) {
        guard bytes.count <= SealContent.maximumBytes - count else { throw Self.tooLarge }
        count += bytes.count
        hash.update(data: bytes)
    }

    /// Returns the content of a seal over the bytes so far.
    ///
    /// - Throws: `invalidSealData` without any byte, or for a name that is not allowed.
    func content(named name: String) throws(OrchestrationError) -> SealContent {
        guard count > 0 else { throw OrchestrationError(.invalidSealData("the data is empty")) }
        do throws(SealFault) {
            return try SealContent(name: name, digest: hash.finalize().withSpan { [UInt8]($0) })
        } catch {
            throw OrchestrationError(.invalidSealData("the name \(error.message)"))
        }
    }
}

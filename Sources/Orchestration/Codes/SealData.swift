public import Foundation
internal import OrchestrationProtocol
public import Primitives

/// The data that a seal is made over: 1 byte to 64 MiB. Neither printing nor reflection shows the data or its name.
///
/// The data is read once and hashed in pieces, before the user is asked.
public struct SealData: Sendable, Redacted {
    /// Reads the data.
    let content: @Sendable () async throws -> SealContent

    /// Creates the data of a text that the user sees.
    ///
    /// The text has 1 to 4,096 bytes of UTF-8 in Unicode normalization form C, in which it is sealed. It contains a
    /// visible character, and no control character, line separator, invisible character or character that changes the
    /// direction of writing (<doc:Approvals>). Seal other text as bytes with a name.
    public static func text(_ text: String) -> SealData {
        SealData {
            do throws(SealFault) {
                return try SealContent(text: text)
            } catch {
                throw OrchestrationError(.invalidSealData("the text \(error.message)"))
            }
        }
    }

    /// Creates the data of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The data, 1 byte to 64 MiB.
    ///   - name: The name that the user sees and that is sealed: 1 to 255 bytes of UTF-8, with the characters of a text.
    public static func bytes(_ bytes: [UInt8], named name: String) -> SealData {
        SealData {
            var hash = SealHash()
            try hash.update(bytes)
            return try hash.content(named: name)
        }
    }

    /// Creates the data of a sequence of chunks, for example of a download.
    ///
    /// - Parameters:
    ///   - chunks: The data, 1 byte to 64 MiB in chunks of any size. An error of the sequence ends the flow: it is the
    ///     underlying error of `unexpected`.
    ///   - name: The name that the user sees and that is sealed: 1 to 255 bytes of UTF-8, with the characters of a text.
    public static func chunks<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, named name: String
    ) -> SealData where Chunks.Element: Collection<UInt8> {
        SealData {
            var hash = SealHash()
            for try await chunk in chunks { try hash.update(Array(chunk)) }
            return try hash.content(named: name)
        }
    }

    /// Creates the data of a regular file. Its last path component is the name.
    ///
    /// The digest is of exactly the bytes that were read. A file whose length or time of modification changes while it
    /// is read is refused. The file is read in pieces of 64 KiB; the call waits for the file system.
    ///
    /// - Parameter url: The file.
    public static func file(at url: URL) -> SealData {
        SealData {
            var file = try SealFile(url)
            var hash = SealHash()
            while let chunk = try file.next() {
                try hash.update(chunk)
                // Other tasks can run here, and a canceled flow ends.
                await Task.yield()
                try Task.checkCancellation()
            }
            return try hash.content(named: url.lastPathComponent)
        }
    }
}

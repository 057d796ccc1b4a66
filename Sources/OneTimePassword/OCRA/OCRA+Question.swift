internal import Primitives

extension OCRA {
    /// The question of a code, by the mode it is used in (RFC 6287 section 7).
    public struct Question: Sendable, Hashable {
        /// One or two questions, in the order in which they enter the code.
        let first: String
        let second: String?

        /// Whether the one question there is can be as long as two.
        let isConcatenated: Bool

        private init(_ first: String, _ second: String? = nil, isConcatenated: Bool = false) {
            self.first = first
            self.second = second
            self.isConcatenated = isConcatenated
        }

        /// One-way challenge and response: the verifier's challenge.
        public static func challenge(_ text: String) -> Question { Question(text) }

        /// Plain signature: the data, or a number made from it.
        public static func signature(_ data: String) -> Question { Question(data) }

        /// Mutual authentication, and signature with server authentication: what the server proves itself with.
        ///
        /// - Parameters:
        ///   - client: the client's challenge.
        ///   - server: the server's challenge, or the data to sign.
        public static func serverResponse(client: String, server: String) -> Question {
            Question(client, server)
        }

        /// Mutual authentication, and signature with server authentication: what the client answers or signs with.
        ///
        /// - Parameters:
        ///   - client: the client's challenge.
        ///   - server: the server's challenge, or the data to sign.
        public static func clientResponse(client: String, server: String) -> Question {
            Question(server, client)
        }

        /// Two questions that were already put together, in the order in which they enter the code, as tokens take
        /// them: up to twice the suite's length.
        public static func concatenated(_ text: String) -> Question {
            Question(text, isConcatenated: true)
        }

        /// The SHA-256 of what is asked or signed, for the suites with `QH64`.
        package static func hash(_ bytes: [UInt8]) -> Question { Question(Hex.encode(bytes)) }
    }
}

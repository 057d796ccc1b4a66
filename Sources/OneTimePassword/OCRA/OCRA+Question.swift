internal import Primitives

extension OCRA {
    /// The question of a code, in one of the modes of RFC 6287 section 7.
    public struct Question: Sendable, Hashable {
        /// The questions, one or two, in their order in the code.
        let first: String
        let second: String?

        /// Whether the first question may be as long as two.
        let isConcatenated: Bool

        private init(_ first: String, _ second: String? = nil, isConcatenated: Bool = false) {
            self.first = first
            self.second = second
            self.isConcatenated = isConcatenated
        }

        /// Returns the question for one-way challenge and response: the challenge of the verifier.
        public static func challenge(_ text: String) -> Question { Question(text) }

        /// Returns the question for a plain signature: the data, or a number that was made from it.
        public static func signature(_ data: String) -> Question { Question(data) }

        /// Returns the question for the code of the server, in mutual authentication and in a signature with server
        /// authentication.
        ///
        /// - Parameters:
        ///   - client: The client's challenge.
        ///   - server: The server's challenge, or the data to sign.
        public static func serverResponse(client: String, server: String) -> Question {
            Question(client, server)
        }

        /// Returns the question for the code of the client, in mutual authentication and in a signature with server
        /// authentication.
        ///
        /// - Parameters:
        ///   - client: The client's challenge.
        ///   - server: The server's challenge, or the data to sign.
        public static func clientResponse(client: String, server: String) -> Question {
            Question(server, client)
        }

        /// Returns two questions that are joined already, in their order in the code, which is the form that tokens
        /// accept. The text may have up to twice the length of the suite.
        public static func concatenated(_ text: String) -> Question {
            Question(text, isConcatenated: true)
        }

        /// Returns the question with the SHA-256 of the data to approve or to sign, for suites with `QH64`.
        package static func hash(_ bytes: [UInt8]) -> Question { Question(Hex.encode(bytes)) }
    }
}

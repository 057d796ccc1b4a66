internal import Primitives

extension OCRA {
    /// The question of a code, by the mode it is used in (RFC 6287 section 7).
    public struct Question: Sendable, Hashable {
        /// One or two questions, in the order in which they enter the code.
        private let parts: [String]

        /// How many questions one part can be.
        private var questionsPerPart = 1

        private init(parts: [String]) { self.parts = parts }

        /// One-way challenge and response: the verifier's challenge.
        public static func challenge(_ text: String) -> Question { Question(parts: [text]) }

        /// Plain signature: the data, or a number made from it.
        public static func signature(_ data: String) -> Question { Question(parts: [data]) }

        /// Mutual authentication, and signature with server authentication: what the server proves itself with.
        ///
        /// - Parameters:
        ///   - client: the client's challenge.
        ///   - server: the server's challenge, or the data to sign.
        public static func serverResponse(client: String, server: String) -> Question {
            Question(parts: [client, server])
        }

        /// Mutual authentication, and signature with server authentication: what the client answers or signs with.
        ///
        /// - Parameters:
        ///   - client: the client's challenge.
        ///   - server: the server's challenge, or the data to sign.
        public static func clientResponse(client: String, server: String) -> Question {
            Question(parts: [server, client])
        }

        /// Two questions that were already put together, in the order in which they enter the code, as tokens take
        /// them: up to twice the suite's length.
        public static func concatenated(_ text: String) -> Question {
            var question = Question(parts: [text])
            question.questionsPerPart = 2
            return question
        }

        /// The SHA-256 of what is asked or signed, for the suites with `QH64`.
        package static func hash(_ bytes: [UInt8]) -> Question { Question(parts: [Hex.encode(bytes)]) }

        /// The question as 128 bytes, filled with zeros at the end.
        func encoded(for suite: Suite) throws(OneTimePasswordError) -> [UInt8] {
            for part in parts {
                guard 1...(suite.questionLength * questionsPerPart) ~= part.utf8.count else {
                    throw OneTimePasswordError(.invalidQuestion, "the question has not the length that the suite says")
                }
            }
            let text = Array(parts.joined().utf8)
            var bytes: [UInt8]
            switch suite.questionFormat {
            case .alphanumeric:
                guard text.allSatisfy({ 0x20...0x7E ~= $0 }) else {
                    throw OneTimePasswordError(.invalidQuestion, "the question has to be printable ASCII")
                }
                bytes = text
            case .numeric:
                guard text.allSatisfy({ 48...57 ~= $0 }) else {
                    throw OneTimePasswordError(.invalidQuestion, "the question has to be decimal digits")
                }
                bytes = Self.packed(Self.hexadecimalDigits(ofDecimal: text.map { $0 - 48 }))
            case .hexadecimal:
                let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
                guard digits.count == text.count else {
                    throw OneTimePasswordError(.invalidQuestion, "the question has to be hexadecimal digits")
                }
                bytes = Self.packed(digits)
            }
            bytes += [UInt8](repeating: 0, count: 128 - bytes.count)
            return bytes
        }

        /// A decimal number in hexadecimal, without leading zeros except for the number zero.
        private static func hexadecimalDigits(ofDecimal decimal: [UInt8]) -> [UInt8] {
            var digits: [UInt8] = [0]  // the least significant first
            for digit in decimal {
                var carry = Int(digit)
                for index in digits.indices {
                    carry += Int(digits[index]) * 10
                    digits[index] = UInt8(carry & 15)
                    carry >>= 4
                }
                if carry > 0 { digits.append(UInt8(carry)) }
            }
            return digits.reversed()
        }

        /// Two digits a byte from the left; a last single digit is the high half of its byte (the RFC fills the text
        /// with zeros before it makes bytes of it).
        private static func packed(_ digits: [UInt8]) -> [UInt8] {
            stride(from: 0, to: digits.count, by: 2).map { index in
                digits[index] << 4 | (index + 1 < digits.count ? digits[index + 1] : 0)
            }
        }
    }
}

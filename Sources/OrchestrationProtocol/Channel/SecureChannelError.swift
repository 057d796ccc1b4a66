package import Primitives

/// An error of the activation exchange or the channel.
///
/// Two errors are equal when their codes are equal. The message is constant and holds nothing of the input.
package struct SecureChannelError: CodedError, Sendable {
    /// The kind of error.
    package let code: Code

    /// The party that has to act so that the error goes away.
    package let blame: Blame

    /// A constant English sentence, without data of the input.
    package let message: String

    /// The error of another module that led to this one.
    package let underlying: (any Error)?

    /// The place in the source where the error was created.
    package let location: SourceLocation

    package init(
        _ code: Code, blame: Blame, _ message: StaticString, underlying: (any Error)? = nil,
        fileID: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.blame = blame
        self.message = message.description
        self.underlying = underlying
        self.location = SourceLocation(fileID: fileID, line: line)
    }
}

extension SecureChannelError {
    /// The kinds of this error.
    package struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        package let description: String

        private init(_ description: StaticString) { self.description = description.description }

        /// The bytes do not have the agreed form or length.
        package static let malformed = Code("malformed")
        /// With the public key, the shared secret would be known to everyone.
        package static let lowOrderPoint = Code("lowOrderPoint")
        /// The peer's tag of the activation exchange is wrong: it used another activation password, or an attacker is
        /// in between.
        package static let wrongActivationPassword = Code("wrongActivationPassword")
        /// A seal or a signature is not valid.
        package static let notAuthentic = Code("notAuthentic")
        /// The suite was not offered, is not allowed, or is not available on this system.
        package static let unsupportedSuite = Code("unsupportedSuite")
        /// The message belongs to another session of the activation exchange.
        package static let wrongSession = Code("wrongSession")
        /// The message belongs to another device, tenant or account.
        package static let wrongParty = Code("wrongParty")
        /// The message is sealed or signed with another key of the platform.
        package static let wrongKey = Code("wrongKey")
        /// The key that has signed was not in use at the time of the message or the statement, or no sealing key of a
        /// statement is.
        package static let keyNotValid = Code("keyNotValid")
        /// A key statement is missing before the next one.
        package static let statementGap = Code("statementGap")
        /// A key statement is another one with the number of the one that is known.
        package static let statementRollback = Code("statementRollback")
        /// A key statement has the hash of another statement than the one before.
        package static let statementFork = Code("statementFork")
        /// A key statement is not later than the one before.
        package static let statementTime = Code("statementTime")
        /// A key statement says about a known key what no later statement may say.
        package static let statementKeys = Code("statementKeys")
        /// A key statement is not signed by a signing key of both the statement before and itself. A signer that was
        /// not valid gives ``keyNotValid``.
        package static let statementSigner = Code("statementSigner")
        /// A key statement has no sealing key for the suite.
        package static let noUsableKey = Code("noUsableKey")
        /// The answer belongs to another request, or the message is not an answer.
        package static let wrongRequest = Code("wrongRequest")
        /// The message is authentic and has another type than expected.
        package static let wrongType = Code("wrongType")
        /// An approval request has a field that this version cannot show.
        package static let cannotDisplay = Code("cannotDisplay")
    }
}

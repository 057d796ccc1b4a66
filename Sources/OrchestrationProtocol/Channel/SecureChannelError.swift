package import Primitives

/// An error of the activation exchange or the channel.
///
/// Two errors are equal when their codes are equal. The message is constant and contains no input.
package struct SecureChannelError: CodedError, Sendable {
    /// The kind of error.
    package let code: Code

    /// The party that must act to resolve the error.
    package let blame: Blame

    /// A constant English sentence, without input data.
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
        /// The peer's tag of the activation exchange is wrong: the peer used another activation password, or an
        /// attacker intercepts the exchange.
        package static let wrongActivationPassword = Code("wrongActivationPassword")
        /// A seal or a signature is not valid.
        package static let notAuthentic = Code("notAuthentic")
        /// The suite was not offered, is not allowed, or is not available on this system.
        package static let unsupportedSuite = Code("unsupportedSuite")
        /// The message belongs to another session of the activation exchange.
        package static let wrongSession = Code("wrongSession")
        /// The message belongs to another device, tenant or account.
        package static let wrongParty = Code("wrongParty")
        /// The message is sealed or signed with another platform key.
        package static let wrongKey = Code("wrongKey")
        /// The signing key was not in use at the time of the message or the statement, or no sealing key of a statement
        /// is in use.
        package static let keyNotValid = Code("keyNotValid")
        /// A key statement is missing before the next one.
        package static let statementGap = Code("statementGap")
        /// A key statement has the number of a known statement but differs from it.
        package static let statementRollback = Code("statementRollback")
        /// The hash in a key statement is not the hash of the previous statement.
        package static let statementFork = Code("statementFork")
        /// A key statement is not later than the previous one.
        package static let statementTime = Code("statementTime")
        /// A key statement changes a known key in a way that no later statement may.
        package static let statementKeys = Code("statementKeys")
        /// A key statement is not signed by a signing key that both the previous statement and the statement itself
        /// list. A signing key that was not valid gives ``keyNotValid``.
        package static let statementSigner = Code("statementSigner")
        /// A key statement has no sealing key for the suite.
        package static let noUsableKey = Code("noUsableKey")
        /// The answer belongs to another request, or the message is not an answer.
        package static let wrongRequest = Code("wrongRequest")
        /// The message is authentic but not of the expected type.
        package static let wrongType = Code("wrongType")
        /// An approval request contains a field that this version cannot show.
        package static let cannotDisplay = Code("cannotDisplay")
    }
}

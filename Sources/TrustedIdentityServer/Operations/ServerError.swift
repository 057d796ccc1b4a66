public import Primitives

/// An error of the server.
///
/// Two errors are equal when their codes are. ``message`` and `description` are safe to log and to show.
public struct ServerError: CodedError, Sendable {
    /// The kind of error.
    public let code: Code

    /// The reason, whose description names the address or the file.
    public let underlying: (any Error)?

    /// The place in the source where the error was created.
    public let location: SourceLocation

    /// The party that must act to resolve the error.
    public var blame: Blame { code.blame }

    /// A constant English sentence for developers.
    public var message: String { code.message }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - underlying: The error that caused this one.
    ///   - fileID: The file that creates the error. Keep the default.
    ///   - line: The line that creates the error. Keep the default.
    public init(_ code: Code, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }
}

extension ServerError {
    /// A kind of error. Later versions may add codes; a `switch` over them needs a `default` case.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, as it is spelled in Swift.
        public let description: String
        /// The party that must act.
        public let blame: Blame
        /// A constant English sentence.
        public let message: String

        private init(_ name: StaticString, _ blame: Blame, _ message: StaticString) {
            description = name.description
            self.blame = blame
            self.message = message.description
        }

        /// Returns whether both codes have the same name.
        public static func == (a: Code, b: Code) -> Bool { a.description == b.description }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }

        /// The address is in use, belongs to another machine, or needs a permission that the process does not have.
        public static let cannotListen = Self("cannotListen", .environment, "the address cannot be listened on")

        /// Like ``cannotListen``, for the address of a ``ManagementServer``.
        public static let cannotListenForManagement = Self(
            "cannotListenForManagement", .environment, "the address of the management listener cannot be listened on")

        /// The files of TLS cannot be read, or the key does not belong to the certificate.
        public static let unusableCertificate = Self(
            "unusableCertificate", .environment, "the certificate of the server cannot be used")
    }
}

public import OrchestrationProtocol
public import Primitives

/// The failure of a call or a flow: what happened, what to tell the user, and what to do next.
///
/// Flows, stores and key providers throw `OrchestrationError` or `CancellationError` and nothing else, and the terminal
/// events ``FlowEvent/aborted(_:)`` and ``FlowEvent/outdated(_:)`` carry one. Show ``userMessage(in:)`` to the user,
/// and act on ``recovery``. Two errors are equal when their codes are. Neither `description` nor ``message`` ever holds
/// a password, a key, a code or other data, so both are safe to log and to show.
public struct OrchestrationError: CodedError, Sendable {
    /// The kind of error, for programs.
    public let code: Code

    /// The error that caused this one, if any. It may come from code of the app: do not log it without a check.
    public let underlying: (any Error)?

    /// The application server's notice about a refusal; `nil` for none. Show the text as the words of the site, next to
    /// ``userMessage(in:)``. The platform has signed and sealed it.
    public let notice: RefusalNotice?

    /// The time after which the platform accepts the request again, where its refusal has stated one.
    public let retryAfter: Duration?

    /// The number of tries that remain, where the platform's refusal has stated it, for example for an unlock code.
    public let remainingTries: Int?

    /// The number of the platform's refusal in the protocol's list (<doc:Format>); `nil` for an error that is not a
    /// refusal under the platform's seal.
    public let refusalNumber: UInt64?

    /// The place in the source where the error was created.
    public let location: SourceLocation

    /// A constant English sentence for developers: what is wrong and, where it helps, what to do.
    public var message: String { code.message }

    /// The number of the code, for support. It does not change between versions.
    public var number: Int { code.number }

    /// What to do next.
    public var recovery: Recovery { code == .rateLimited ? .wait(retryAfter) : code.recovery }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - underlying: The error that caused this one.
    ///   - fileID: The file of the caller; keep the default.
    ///   - line: The line of the caller; keep the default.
    public init(_ code: Code, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.underlying = underlying
        notice = nil
        retryAfter = nil
        remainingTries = nil
        refusalNumber = nil
        location = SourceLocation(fileID: fileID, line: line)
    }

    /// Creates the error for a refusal of the platform.
    init(_ code: Code, _ refusal: ChannelRefusal, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        underlying = nil
        notice = refusal.notice
        retryAfter = refusal.retryAfter
        remainingTries = refusal.remainingTries
        refusalNumber = refusal.code.rawValue
        location = SourceLocation(fileID: fileID, line: line)
    }
}

extension OrchestrationError {
    /// A kind of error. Later versions may add codes, so a `switch` over codes needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        let name: String

        /// The number of the code, which does not change between versions. It is the `code` of the `NSError` that
        /// Objective-C gets, whose domain is ``OrchestrationError/errorDomain``.
        package let number: Int

        /// A constant English sentence for developers.
        package let message: String

        /// What to do next.
        package let recovery: Recovery

        /// The text for the user.
        package let text: PromptText

        /// Creates a code.
        ///
        /// - Parameters:
        ///   - name: The name as it is spelled in Swift.
        ///   - number: The number. The hundreds are groups: configuration, storage, input, flows, approvals, ends of
        ///     flows, and faults. The number of a code that was removed is not used again.
        ///   - recovery: What to do next.
        ///   - text: The text for the user.
        ///   - message: What is wrong and, after a semicolon, what to do, in lower case and without a full stop.
        init(_ name: String, _ number: Int, _ recovery: Recovery, _ text: PromptText, _ message: String) {
            self.name = name
            self.number = number
            self.recovery = recovery
            self.text = text
            self.message = message
        }

        /// The name of the code as it is spelled in Swift.
        public var description: String { name }

        /// Returns whether both codes have the same name.
        public static func == (a: Code, b: Code) -> Bool { a.name == b.name }

        /// Hashes the name alone.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// What to do after an error.
    @nonexhaustive
    public enum Recovery: Sendable, Hashable {
        /// Offer to do the same again.
        case tryAgain
        /// Wait, for the given time where the platform has stated one, and do the same again.
        case wait(Duration?)
        /// Ask for a new activation password, and activate this device.
        case activateAgain
        /// Ask for an unlock code, and unlock this device: ``UserHandle/unlock(with:)-(SecretBytes)``.
        case unlock
        /// Show how to contact the operator of the platform.
        case contact
        /// Ask the user to update the app.
        case updateApp
        /// Correct the app or its configuration. The user cannot do anything.
        case faultOfTheApp
        /// Do nothing: the flow ended as it should.
        case nothing
    }
}

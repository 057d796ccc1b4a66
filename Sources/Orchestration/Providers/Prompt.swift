/// One question to the user.
public struct Prompt: Sendable, Hashable {
    /// Why the user is asked.
    public enum Purpose: Sendable, Hashable, CaseIterable {
        /// To choose a password for the first time.
        case enroll
        /// To type the chosen password again.
        case confirm
        /// To show who they are.
        case authenticate
        /// To choose a new password in place of the old one.
        case update
        /// To type the new password again.
        case confirmUpdate
    }

    /// Why the user is asked.
    public var purpose: Purpose

    /// The method that is asked for.
    public var method: AuthenticationMethod

    /// The account as `user@domain`.
    public var account: String

    /// The key of ``text`` in the catalog of texts.
    public var textKey: PromptText

    /// What to say to the user: the text of the app for ``textKey``, or our English one.
    public var text: String

    /// Why the answer before was not taken; `nil` at the first time.
    public var rejection: InputRejection?

    /// What to say about ``rejection``.
    public var rejectionText: String?

    /// What is being approved, exactly as the platform signed it; `nil` when there is nothing to show.
    public var displayData: String?

    /// How many wrong passwords the platform still takes, where it has said so.
    public var remainingTries: Int?

    /// The form of the password, for keypads; `nil` where any text may be typed.
    public var policy: PINPolicy?

    /// Makes a question, with the texts of a catalog.
    ///
    /// - Parameters:
    ///   - purpose: why the user is asked.
    ///   - method: the method that is asked for.
    ///   - account: the account as `user@domain`.
    ///   - texts: the texts of the app.
    ///   - rejection: why the answer before was not taken.
    ///   - displayData: what is being approved.
    ///   - remainingTries: how many wrong passwords the platform still takes.
    ///   - policy: the form of the password.
    public init(
        purpose: Purpose, method: AuthenticationMethod, account: String, texts: PromptCatalog = .default,
        rejection: InputRejection? = nil, displayData: String? = nil, remainingTries: Int? = nil,
        policy: PINPolicy? = nil
    ) {
        self.purpose = purpose
        self.method = method
        self.account = account
        textKey = purpose.textKey(for: method)
        text = texts[textKey]
        self.rejection = rejection
        rejectionText = rejection.map { texts[$0.textKey] }
        self.displayData = displayData
        self.remainingTries = remainingTries
        self.policy = policy
    }
}

extension Prompt.Purpose {
    fileprivate func textKey(for method: AuthenticationMethod) -> PromptText {
        guard method != .biometric else { return .biometricDescription }
        return switch self {
        case .enroll: .registration
        case .confirm: .registrationConfirmation
        case .authenticate: .authentication
        case .update: .update
        case .confirmUpdate: .updateConfirmation
        }
    }
}

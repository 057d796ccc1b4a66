/// One question to the user.
public struct Prompt: Sendable, Hashable {
    /// The purpose of a question.
    @nonexhaustive
    public enum Purpose: Sendable, Hashable, CaseIterable {
        /// The user chooses a first password.
        case enroll
        /// The user enters the first password a second time.
        case confirm
        /// The user authenticates.
        case authenticate
        /// The user chooses a new password instead of the current one.
        case update
        /// The user enters the new password a second time.
        case confirmUpdate
    }

    /// The purpose of the question.
    public var purpose: Purpose

    /// The method that the user is asked for.
    public var method: AuthenticationMethod

    /// The account as `user@domain`.
    public var account: String

    /// A title for a dialog or keypad, in the words of the app.
    public var title: String

    /// A line below the title, in the words of the app. By default it is the account.
    public var subtitle: String

    /// The question, in the words of the app.
    public var text: String

    /// The label of the button that cancels, in the words of the app.
    public var cancelText: String

    /// The reason why the previous input was refused; `nil` at the first question.
    public var rejection: InputRejection?

    /// The text for ``rejection``, in the words of the app.
    public var rejectionText: String?

    /// The data that the user approves, as a heading and ``ApprovalRequest/Line/displayed`` of each line; `nil` when
    /// there is nothing to show.
    public var displayData: String?

    /// The fields that the user signs with the input, in their order: show `displayed` of each. The array is empty when
    /// the input signs no transaction.
    public var dataFields: [DataField]

    /// The number of wrong passwords that the platform still accepts before it locks the device, where the platform has
    /// stated it.
    public var remainingTries: Int?

    /// The text for ``remainingTries``, in the words of the app.
    public var remainingTriesText: String?

    /// The form of the password, for a keypad: the minimum and maximum number of characters, and whether all of them
    /// are digits. `nil` for a method without a password.
    ///
    /// When the user chooses a password, it is the policy of the platform. When the user authenticates, it is the
    /// policy under which the password was chosen. The SDK refuses an input of another form before it uses it, which
    /// costs no try.
    public var policy: PINPolicy?

    /// The text for ``policy`` where the user chooses a password, in the words of the app: for example `6-12 digits`.
    public var policyText: String?

    /// Creates a question with the texts of a catalog.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the question.
    ///   - method: The method that the user is asked for.
    ///   - account: The account as `user@domain`.
    ///   - texts: The texts of the app.
    ///   - rejection: The reason why the previous input was refused.
    ///   - displayData: The data that the user approves.
    ///   - dataFields: The fields that the user signs.
    ///   - remainingTries: The number of wrong passwords that the platform still accepts.
    ///   - policy: The form of the password.
    public init(
        purpose: Purpose, method: AuthenticationMethod, account: String, texts: PromptCatalog = .default,
        rejection: InputRejection? = nil, displayData: String? = nil, dataFields: [DataField] = [],
        remainingTries: Int? = nil, policy: PINPolicy? = nil
    ) {
        self.purpose = purpose
        self.method = method
        self.account = account
        title = texts[purpose.titleKey(for: method)]
        subtitle = texts.subtitle(account: account)
        text = texts[purpose.textKey(for: method)]
        cancelText = texts[.biometricCancel]
        self.rejection = rejection
        rejectionText = rejection.map { texts.text(for: $0) }
        self.displayData = displayData
        self.dataFields = dataFields
        self.remainingTries = remainingTries
        remainingTriesText = remainingTries.map { texts.text(for: .remainingTries, count: $0) }
        self.policy = policy
        policyText = purpose.isChoice ? policy.map { texts.text(for: $0) } : nil
    }
}

extension Prompt.Purpose {
    /// Whether the user chooses a password, and does not know its required form.
    fileprivate var isChoice: Bool { self == .enroll || self == .update }

    fileprivate func titleKey(for method: AuthenticationMethod) -> PromptText {
        guard ![.biometric, .face].contains(method) else { return .biometricTitle }
        return switch self {
        case .enroll, .confirm: .registrationTitle
        case .authenticate: .authenticationTitle
        case .update, .confirmUpdate: .updateTitle
        }
    }

    fileprivate func textKey(for method: AuthenticationMethod) -> PromptText {
        guard ![.biometric, .face].contains(method) else { return .biometricDescription }
        return switch self {
        case .enroll: .registration
        case .confirm: .registrationConfirmation
        case .authenticate: .authentication
        case .update: .update
        case .confirmUpdate: .updateConfirmation
        }
    }
}

public import Primitives

/// The error for a receipt that is not valid, or for key statements that cannot be used. The code identifies the failed
/// verification step.
public struct ReceiptError: CodedError, Sendable {
    /// The reason why a receipt is not valid.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The number of the step in the article <doc:Receipts>, 1 to 8; 0 for an error about the key statements, which
        /// are verified first.
        public let step: Int

        private init(_ description: StaticString, step: Int) {
            self.description = description.description
            self.step = step
        }

        /// The key statements cannot be decoded, do not follow one another, or have a different fingerprint.
        public static let platformKeys = Code("platformKeys", step: 0)
        /// The text is not base64url without padding.
        public static let invalidText = Code("invalidText", step: 1)
        /// The receipt or a part of it is malformed.
        public static let malformed = Code("malformed", step: 1)
        /// A part, or the list of signatures of the confirmation, contains no signature of a known algorithm.
        public static let unsupportedAlgorithm = Code("unsupportedAlgorithm", step: 1)
        /// No statement lists the key that signed the confirmation.
        public static let confirmationKeyUnknown = Code("confirmationKeyUnknown", step: 2)
        /// The key that signed the confirmation was not in use at its time.
        public static let confirmationKeyNotValid = Code("confirmationKeyNotValid", step: 2)
        /// A signature of the confirmation does not verify.
        public static let confirmationNotAuthentic = Code("confirmationNotAuthentic", step: 2)
        /// The confirmation is about another approval request.
        public static let otherRequest = Code("otherRequest", step: 3)
        /// The confirmation is about another answer.
        public static let otherAnswer = Code("otherAnswer", step: 3)
        /// No statement lists the key that signed the approval request.
        public static let requestKeyUnknown = Code("requestKeyUnknown", step: 4)
        /// The key that signed the approval request was not in use at its creation.
        public static let requestKeyNotValid = Code("requestKeyNotValid", step: 4)
        /// The signature of the approval request does not verify.
        public static let requestNotAuthentic = Code("requestNotAuthentic", step: 4)
        /// The signature of the answer does not verify by the device key in the confirmation.
        public static let answerNotAuthentic = Code("answerNotAuthentic", step: 5)
        /// The request and the confirmation have different tenants or accounts.
        public static let otherAccount = Code("otherAccount", step: 6)
        /// The answer and the confirmation have different devices.
        public static let otherDevice = Code("otherDevice", step: 6)
        /// The answer is to another approval request.
        public static let otherApproval = Code("otherApproval", step: 6)
        /// The request and the confirmation have different decision records.
        public static let otherDecisionRecord = Code("otherDecisionRecord", step: 6)
        /// The answer does not contain the number or the fallback that the request asks for.
        public static let incompleteAnswer = Code("incompleteAnswer", step: 7)
        /// The outcome does not agree with the decision in the answer.
        public static let wrongOutcome = Code("wrongOutcome", step: 7)
        /// The method that was verified does not agree with the outcome or with the method of the answer.
        public static let wrongMethod = Code("wrongMethod", step: 7)
        /// The confirmation was not made while the request could be answered, or not within five minutes of the answer.
        public static let wrongTime = Code("wrongTime", step: 8)
    }

    /// The reason why the receipt is not valid.
    public let code: Code

    /// The error of another module that led to this one.
    public let underlying: (any Error)?

    /// The place in the source where the error was created.
    public let location: SourceLocation

    /// The number of the failed step, see ``Code/step``.
    public var step: Int { code.step }

    /// The code in words.
    public var message: String {
        switch code {
        case .platformKeys: "the key statements cannot be used"
        case .invalidText: "the text is not base64url without padding"
        case .malformed: "the receipt or a part of it is not of the agreed form"
        case .unsupportedAlgorithm: "a part has no signature of a known algorithm"
        case .confirmationKeyUnknown: "no key statement lists the key of the confirmation"
        case .confirmationKeyNotValid: "the key of the confirmation was not in use at its time"
        case .confirmationNotAuthentic: "a signature of the confirmation is not valid"
        case .otherRequest: "the confirmation is about another approval request"
        case .otherAnswer: "the confirmation is about another answer"
        case .requestKeyUnknown: "no key statement lists the key of the approval request"
        case .requestKeyNotValid: "the key of the approval request was not in use at its creation"
        case .requestNotAuthentic: "the signature of the approval request is not valid"
        case .answerNotAuthentic: "the signature of the answer is not valid"
        case .otherAccount: "the approval request is of another tenant or account"
        case .otherDevice: "the answer is of another device"
        case .otherApproval: "the answer is one to another approval request"
        case .otherDecisionRecord: "the decision records differ"
        case .incompleteAnswer: "the answer does not have the number or the fallback that the request asks for"
        case .wrongOutcome: "the outcome does not agree with the answer"
        case .wrongMethod: "the verified method does not agree with the outcome or the answer"
        case .wrongTime: "the time of the confirmation is not within the time of the request and its answer"
        default: "the receipt is not valid"
        }
    }

    init(
        _ code: Code, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }
}

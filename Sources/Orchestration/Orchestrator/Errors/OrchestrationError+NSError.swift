extension OrchestrationError.Code {
    /// The number of the code, which does not change between versions. It is the `code` of the `NSError` that
    /// Objective-C gets, whose domain is ``OrchestrationError/errorDomain``.
    public var number: Int { Self.numbers[name] ?? 0 }

    // The hundreds are the groups of codes: configuration, storage, input, flows, approvals, and faults.
    private static let numbers = [
        "invalidConfiguration": 101,
        "storeBusy": 201, "storeCorrupt": 202, "storeNewerVersion": 204,
        "storeRestoredElsewhere": 205, "storeLocked": 206, "storeUnavailable": 207, "storeTooLarge": 208,
        "userUnknown": 209, "deviceKeyUnavailable": 210,
        "inputUnavailable": 301, "inputEmpty": 302, "inputTooLong": 303, "promptUnanswered": 304,
        "transport": 401, "invalidAnswer": 402, "consumedTwice": 403, "aborted": 404, "outdated": 405,
        "invalidUser": 406, "alreadyActivated": 407, "notActivated": 408, "userLocked": 409, "passwordChanged": 410,
        "providerUnavailable": 411, "applicationUnknown": 412, "applicationUnsuitable": 413, "challengeRequired": 414,
        "invalidChallenge": 415, "invalidDataField": 416, "invalidNotificationIdentifier": 417,
        "invalidDeviceData": 418,
        "decisionRequired": 501, "alreadyDecided": 502, "invalidNumber": 503, "cannotDisplay": 504,
        "commandUnknown": 505, "commandNotForDevice": 506, "replyNotExpected": 507, "outcomeUnknown": 508,
        "unexpected": 901, "internal": 902,
    ]
}

extension OrchestrationError {
    /// The domain of the `NSError` that Objective-C gets: `Orchestration.OrchestrationError`.
    public static var errorDomain: String { "Orchestration.OrchestrationError" }
}

#if canImport(ObjectiveC)
    public import Foundation

    // Objective-C gets an error of the SDK as an NSError. On Linux there is none.
    extension OrchestrationError: CustomNSError {
        /// The number of the code.
        public var errorCode: Int { code.number }

        /// The sentences for developers, and the error that caused this one.
        public var errorUserInfo: [String: Any] {
            var information: [String: Any] = [:]
            information[NSLocalizedDescriptionKey] = errorDescription
            information[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
            information[NSUnderlyingErrorKey] = underlying
            return information
        }
    }
#endif

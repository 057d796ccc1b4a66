#if canImport(Darwin)
    public import Foundation

    // Objective-C gets an error of the SDK as an NSError. On Linux there is no Objective-C.
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

internal import Primitives
internal import TrustedIdentity

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The body of every error that the REST API answers with.
struct ErrorBody: Encodable {
    let errorCategory: APIErrorCode.Category
    let errorCode: Int
    let message: String
    let service = "trusted-identity"
    let logCorrelationId: String
    let timestamp: String
    let validationErrors: [APIError.Field]?

    init(_ error: APIError, correlationID: String, at time: Timestamp) {
        errorCategory = error.code.category
        errorCode = error.code.number
        message = error.code.message
        logCorrelationId = correlationID
        timestamp = RFC3339.text(time)
        validationErrors = error.fields.isEmpty ? nil : error.fields
    }
}

/// Times as the REST API writes them: RFC 3339 in UTC, to the millisecond.
enum RFC3339 {
    static func text(_ time: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(time.millisecondsSinceEpoch) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

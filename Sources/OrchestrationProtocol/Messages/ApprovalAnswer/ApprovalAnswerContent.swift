package import Primitives

/// The decision of a user about an approval request. The device signs it once, and each repetition carries the same
/// bytes.
///
/// A value is the payload of the signature. It is authentic only after the signature is verified.
package struct ApprovalAnswerContent: Sendable, Hashable {
    /// 16 bytes.
    package var deviceID: [UInt8]

    /// The SHA-256 of the signed approval request, as it was received. It binds the tenant and the account.
    package var requestHash: [UInt8]

    /// The method by which the user authenticated.
    package var method: AuthenticationMethod

    /// The reason why the method differs from the requested one; `nil` for the requested method.
    package var fallback: FallbackReason?

    package var decision: ApprovalDecision

    /// The digits that the user typed, 2 to 8. Only an approval contains them.
    package var number: String?

    /// The platform's time as the device knows it.
    package var time: Timestamp

    package var extensions: Extensions

    package init(
        deviceID: [UInt8], requestHash: [UInt8], method: AuthenticationMethod, fallback: FallbackReason? = nil,
        decision: ApprovalDecision, number: String? = nil, time: Timestamp, extensions: Extensions = .none
    ) {
        self.deviceID = deviceID
        self.requestHash = requestHash
        self.method = method
        self.fallback = fallback
        self.decision = decision
        self.number = number
        self.time = time
        self.extensions = extensions
    }

    /// The external associated data of the signature.
    package static let externalAAD = Label.approvalAnswer.bytes

    private static let name = "answer"

    /// Whether the answer contains the members that a request requires: a number of the correct length if and only if
    /// the answer approves a request with digits, and a fallback if and only if the method is not the requested one.
    package func isComplete(for request: ApprovalRequestContent) -> Bool {
        let (requested, digits) =
            switch decision {
            case .approved: (request.approvalMethod, request.digits)
            case .rejected: (request.rejectionMethod, 0)
            }
        return (number?.utf8.count ?? 0) == digits && (fallback == nil) == (method == requested)
    }
}

extension ApprovalAnswerContent: FieldwiseForm {
    /// Decodes an answer.
    ///
    /// - Throws: ``WireError`` with `unexpectedMessage` for another name, `invalidValue` for an unknown method,
    ///   fallback, decision or reason, a reason of an approval, a rejection without a reason or with a number, and a
    ///   number that is not 2 to 8 digits; and the errors of a field outside its limits.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 10)
        try reader.readConstant(Self.name)
        deviceID = try reader.readBytes(count: FieldSize.identifier)
        requestHash = try reader.readBytes(count: FieldSize.hash)
        method = try reader.readCase(AuthenticationMethod.self)
        fallback = try reader.readIfNull() ? nil : reader.readCase(FallbackReason.self)
        let decisionStart = reader.offset
        let isApproval = try reader.readNumber(in: 0...1) == 1
        let reason: RejectionReason? = try reader.readIfNull() ? nil : reader.readCase(RejectionReason.self)
        switch (isApproval, reason) {
        case (true, nil): decision = .approved
        case (false, let reason?): decision = .rejected(reason)
        case (true, _?), (false, nil): throw WireError(.invalidValue, offset: decisionStart)
        }
        let numberStart = reader.offset
        number = try reader.readIfNull() ? nil : reader.readNumberOfSite()
        guard isApproval || number == nil else { throw WireError(.invalidValue, offset: numberStart) }
        time = try reader.readTime()
        extensions = try Extensions(from: &reader)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(10)
        output.text(Self.name)
        output.bytes(deviceID)
        output.bytes(requestHash)
        output.unsigned(UInt64(method.rawValue))
        output.optional(fallback.map { UInt64($0.rawValue) })
        switch decision {
        case .approved:
            output.unsigned(1)
            output.null()
        case .rejected(let reason):
            output.unsigned(0)
            output.unsigned(UInt64(reason.rawValue))
        }
        if let number { output.text(number) } else { output.null() }
        output.time(time)
        extensions.write(to: &output)
    }
}

extension CBORReader {
    fileprivate mutating func readNumberOfSite() throws(WireError) -> String {
        let start = offset
        let number = try readText(maximumBytes: FieldLimit.numberDigits.upperBound)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard FieldLimit.numberDigits.contains(number.utf8.count), number.utf8.allSatisfy(digits.contains) else {
            throw WireError(.invalidValue, offset: start)
        }
        return number
    }
}

package import Primitives

/// The parts of a receipt: an approval request, its answer, and the platform's confirmation. No part is verified.
package struct ReceiptParts: Sendable, Hashable {
    /// The signed ``ApprovalRequestContent``, as the device received it.
    package let request: Sign1

    /// The signed ``ApprovalAnswerContent``, as the platform received it.
    package let answer: Sign1

    /// The signatures of the platform over a ``ReceiptConfirmation``.
    package let confirmation: SignatureList

    package init(request: Sign1, answer: Sign1, confirmation: SignatureList) {
        self.request = request
        self.answer = answer
        self.confirmation = confirmation
    }
}

extension ReceiptParts: FieldwiseForm {
    /// Decodes a receipt.
    ///
    /// - Throws: ``WireError`` with `tooLarge` for more than 12,288 bytes, `unsupportedAlgorithm` for a part or a
    ///   confirmation without a known algorithm, and the errors of a part that is not well-formed.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= FieldLimit.receipt else { throw WireError(.tooLarge) }
        var reader = CBORReader(bytes)
        try reader.readArray(count: 3)
        request = try reader.readSigned()
        answer = try reader.readSigned()
        confirmation = try SignatureList(from: &reader)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(3)
        output.bytes(request.encoded)
        output.bytes(answer.encoded)
        confirmation.write(to: &output)
    }
}

/// The platform's statement about an answer: its device, the method that was verified, and the outcome.
///
/// A value is the payload of the platform's signatures.
package struct ReceiptConfirmation: Sendable, Hashable {
    package var tenant: String

    /// "user@domain", compared as bytes.
    package var account: String

    /// 16 bytes.
    package var deviceID: [UInt8]

    /// The P-256 public key of the device, compressed, 33 bytes.
    package var deviceKey: [UInt8]

    /// The SHA-256 of the signed approval request.
    package var requestHash: [UInt8]

    /// The SHA-256 of the signed approval answer.
    package var answerHash: [UInt8]

    /// The method whose proof the platform verified; `nil` if there was no proof.
    package var verifiedMethod: AuthenticationMethod?

    package var outcome: ApprovalOutcome

    /// The time at which the platform decided.
    package var time: Timestamp

    /// The decision record of the policy, 16 bytes.
    package var decisionRecord: [UInt8]?

    package var extensions: Extensions

    package init(
        tenant: String, account: String, deviceID: [UInt8], deviceKey: [UInt8], requestHash: [UInt8],
        answerHash: [UInt8], verifiedMethod: AuthenticationMethod?, outcome: ApprovalOutcome, time: Timestamp,
        decisionRecord: [UInt8]? = nil, extensions: Extensions = .none
    ) {
        self.tenant = tenant
        self.account = account
        self.deviceID = deviceID
        self.deviceKey = deviceKey
        self.requestHash = requestHash
        self.answerHash = answerHash
        self.verifiedMethod = verifiedMethod
        self.outcome = outcome
        self.time = time
        self.decisionRecord = decisionRecord
        self.extensions = extensions
    }

    /// The external associated data of the signatures.
    package static let externalAAD = Label.receipt.bytes

    private static let name = "receipt"
}

extension ReceiptConfirmation: FieldwiseForm {
    /// Decodes a confirmation.
    ///
    /// - Throws: ``WireError`` with `unexpectedMessage` for another name, `unsupportedAlgorithm` and `invalidKey` for
    ///   the key of the device, `invalidValue` for an unknown method or outcome, and the errors of a field outside its
    ///   limits.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 12)
        try reader.readConstant(Self.name)
        tenant = try reader.readTenant()
        account = try reader.readAccount()
        deviceID = try reader.readBytes(count: FieldSize.identifier)
        deviceKey = try reader.readDeviceKey()
        requestHash = try reader.readBytes(count: FieldSize.hash)
        answerHash = try reader.readBytes(count: FieldSize.hash)
        verifiedMethod = try reader.readIfNull() ? nil : reader.readCase(AuthenticationMethod.self)
        outcome = try reader.readCase(ApprovalOutcome.self)
        time = try reader.readTime()
        decisionRecord = try reader.readIfNull() ? nil : reader.readBytes(count: FieldSize.identifier)
        extensions = try Extensions(from: &reader)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(12)
        output.text(Self.name)
        output.text(tenant)
        output.text(account)
        output.bytes(deviceID)
        output.deviceKey(deviceKey)
        output.bytes(requestHash)
        output.bytes(answerHash)
        output.optional(verifiedMethod.map { UInt64($0.rawValue) })
        output.unsigned(UInt64(outcome.rawValue))
        output.time(time)
        output.optional(decisionRecord)
        extensions.write(to: &output)
    }
}

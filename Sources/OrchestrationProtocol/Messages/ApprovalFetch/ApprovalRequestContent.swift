package import Primitives

/// The content of an approval request. The platform signs it, and every device of the user gets the same bytes.
///
/// A value is the payload of the signature. It is authentic only after the signature is verified.
package struct ApprovalRequestContent: Sendable, Hashable {
    package var tenant: String

    /// "user@domain", compared as bytes.
    package var account: String

    /// The platform's name of the approval request, 16 random bytes.
    package var id: [UInt8]

    package var kind: ApprovalKind

    /// The session id of the application server, at most 256 bytes; empty if it provided none.
    package var sessionID: String

    /// The request id of the application server, or of the platform if the server provided none, 1 to 256 bytes.
    package var requestID: String

    /// The display data. A transaction has at least one field.
    package var display: DisplayData

    /// The method by which the user approves.
    package var approvalMethod: AuthenticationMethod

    /// The method by which the user rejects: the approval method, or possession.
    package var rejectionMethod: AuthenticationMethod

    /// The number of digits of the matching number that the user types, 2 to 8; 0 for none.
    package var digits: Int

    package var created: Timestamp

    /// The time until which the request can be answered, 1 to 300 seconds after ``created``.
    package var expiry: Timestamp

    /// The decision record of the policy, 16 bytes.
    package var decisionRecord: [UInt8]?

    /// The application server that asks, whose name the app shows above all fields.
    package var principal: ApprovalPrincipal

    package var extensions: Extensions

    package init(
        tenant: String, account: String, id: [UInt8], kind: ApprovalKind, sessionID: String = "", requestID: String,
        display: DisplayData = .empty, approvalMethod: AuthenticationMethod, rejectionMethod: AuthenticationMethod,
        digits: Int = 0, created: Timestamp, expiry: Timestamp, decisionRecord: [UInt8]? = nil,
        principal: ApprovalPrincipal, extensions: Extensions = .none
    ) {
        self.tenant = tenant
        self.account = account
        self.id = id
        self.kind = kind
        self.sessionID = sessionID
        self.requestID = requestID
        self.display = display
        self.approvalMethod = approvalMethod
        self.rejectionMethod = rejectionMethod
        self.digits = digits
        self.created = created
        self.expiry = expiry
        self.decisionRecord = decisionRecord
        self.principal = principal
        self.extensions = extensions
    }

    /// The external associated data of the signature.
    package static let externalAAD = Label.approvalRequest.bytes

    private static let name = "approval"
}

extension ApprovalRequestContent: FieldwiseForm {
    /// Decodes a request.
    ///
    /// - Throws: ``WireError`` with `unexpectedMessage` for another name, `invalidValue` for an unknown kind, a
    ///   transaction without a field, a rejection method that is neither the method of the approval nor possession, an
    ///   expiry that is not 1 to 300 seconds after the creation, and values that ``DisplayData`` and
    ///   ``ApprovalPrincipal`` refuse; and the errors of a field outside its limits.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 16)
        try reader.readConstant(Self.name)
        tenant = try reader.readTenant()
        account = try reader.readAccount()
        id = try reader.readBytes(count: FieldSize.identifier)
        kind = try reader.readCase(ApprovalKind.self)
        sessionID = try reader.readApplicationServerID(isOptional: true)
        requestID = try reader.readApplicationServerID(isOptional: false)
        let displayStart = reader.offset
        display = try DisplayData(from: &reader)
        guard kind != .transaction || !display.fields.isEmpty else {
            throw WireError(.invalidValue, offset: displayStart)
        }
        approvalMethod = try reader.readCase(AuthenticationMethod.self)
        let rejectionStart = reader.offset
        rejectionMethod = try reader.readCase(AuthenticationMethod.self)
        guard [approvalMethod, .possession].contains(rejectionMethod) else {
            throw WireError(.invalidValue, offset: rejectionStart)
        }
        let digitsStart = reader.offset
        digits = try reader.readNumber(in: 0...FieldLimit.numberDigits.upperBound)
        guard digits == 0 || FieldLimit.numberDigits.contains(digits) else {
            throw WireError(.integerOutOfRange, offset: digitsStart)
        }
        created = try reader.readTime()
        expiry = try reader.readExpiry(of: created)
        decisionRecord = try reader.readIfNull() ? nil : reader.readBytes(count: FieldSize.identifier)
        principal = try ApprovalPrincipal(from: &reader)
        extensions = try Extensions(from: &reader)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(16)
        output.text(Self.name)
        output.text(tenant)
        output.text(account)
        output.bytes(id)
        output.unsigned(UInt64(kind.rawValue))
        output.text(sessionID)
        output.text(requestID)
        display.write(to: &output)
        output.unsigned(UInt64(approvalMethod.rawValue))
        output.unsigned(UInt64(rejectionMethod.rawValue))
        output.unsigned(UInt64(digits))
        output.time(created)
        output.time(expiry)
        output.optional(decisionRecord)
        principal.write(to: &output)
        extensions.write(to: &output)
    }
}

extension CBORReader {
    /// Reads the session id or the request id of an application server. A program may write it into a log.
    fileprivate mutating func readApplicationServerID(isOptional: Bool) throws(WireError) -> String {
        let start = offset
        let id = try readText(maximumBytes: FieldLimit.applicationServerID)
        guard isOptional || !id.isEmpty else { throw WireError(.empty, offset: start) }
        guard DisplayText.hasAllowedCharacters(id) else { throw WireError(.invalidValue, offset: start) }
        return id
    }
}

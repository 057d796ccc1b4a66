public import Primitives

/// An error for bytes or text that the protocol does not allow.
///
/// All errors of this module are of this type. Two errors are equal when their codes are equal. No property contains a
/// byte of the input, so an error may be logged and shown.
public struct WireError: CodedError, Sendable {
    /// The kind of error.
    public let code: Code

    /// The party that must act to resolve the error.
    public let blame: Blame

    /// The byte offset of the refused item in the decoded byte string.
    public let offset: Int?

    /// The place in the source where the error was created.
    public let location: SourceLocation

    /// A constant English sentence for developers.
    public var message: String { code.message }

    package init(
        _ code: Code, offset: Int? = nil, blame: Blame = .peer, fileID: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.blame = blame
        self.offset = offset
        self.location = SourceLocation(fileID: fileID, line: line)
    }

    /// The code, the offset if there is one, and the message. Safe to log.
    public var description: String {
        let place = offset.map { " at byte \($0)" } ?? ""
        return "\(code)\(place): \(message)"
    }
}

extension WireError {
    /// A kind of error. Later versions may add codes; a `switch` over them needs a `default` case.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case truncated, trailingBytes, tooLarge, tooDeep, tooManyItems
            case nonShortestLength, indefiniteLength, reservedValue
            case floatingPoint, bignum, unsupportedTag, unsupportedSimpleValue
            case unsortedMapKeys, duplicateMapKey, invalidUTF8
            case unexpectedType, unexpectedTag, unexpectedCount, unexpectedLength, integerOutOfRange, invalidValue
            case unsupportedVersion, unexpectedMessage, unknownCriticalExtension
            case unprotectedHeader, unknownCriticalHeader, invalidCriticalHeader, duplicateHeader, missingHeader,
                unexpectedHeader
            case missingAlgorithm, unsupportedAlgorithm, missingPayload
            case invalidKey, invalidSignature
            case invalidText, empty
        }

        private let name: Name

        private init(_ name: Name) { self.name = name }

        /// The name of the code, for example `tooLarge`.
        public var description: String { name.rawValue }
    }
}

extension WireError.Code {
    /// The bytes end in the middle of an item.
    public static var truncated: Self { .init(.truncated) }
    /// Bytes follow the outermost item.
    public static var trailingBytes: Self { .init(.trailingBytes) }
    /// More bytes than the limit allows, for the whole or for one field.
    public static var tooLarge: Self { .init(.tooLarge) }
    /// Arrays, maps and tags are nested deeper than the limit allows.
    public static var tooDeep: Self { .init(.tooDeep) }
    /// There are more items than the limit allows, or more are announced than the bytes can hold.
    public static var tooManyItems: Self { .init(.tooManyItems) }
    /// A number or length is not in its shortest form (RFC 8949, section 4.2.1).
    public static var nonShortestLength: Self { .init(.nonShortestLength) }
    /// An indefinite length, or the break that ends one.
    public static var indefiniteLength: Self { .init(.indefiniteLength) }
    /// An encoding that RFC 8949, section 3 reserves or calls not well-formed.
    public static var reservedValue: Self { .init(.reservedValue) }
    /// A floating-point number.
    public static var floatingPoint: Self { .init(.floatingPoint) }
    /// A bignum (tag 2 or 3).
    public static var bignum: Self { .init(.bignum) }
    /// A tag other than 16 and 18.
    public static var unsupportedTag: Self { .init(.unsupportedTag) }
    /// A simple value other than false, true and null.
    public static var unsupportedSimpleValue: Self { .init(.unsupportedSimpleValue) }
    /// The keys of a map are not in bytewise order of their encodings (RFC 8949, section 4.2.1).
    public static var unsortedMapKeys: Self { .init(.unsortedMapKeys) }
    /// A map contains the same key twice.
    public static var duplicateMapKey: Self { .init(.duplicateMapKey) }
    /// A text that is not UTF-8.
    public static var invalidUTF8: Self { .init(.invalidUTF8) }
    /// The item is not of the expected kind.
    public static var unexpectedType: Self { .init(.unexpectedType) }
    /// The tag is missing, or is not the expected one.
    public static var unexpectedTag: Self { .init(.unexpectedTag) }
    /// An array or map does not have the expected number of members.
    public static var unexpectedCount: Self { .init(.unexpectedCount) }
    /// A byte string does not have the expected length.
    public static var unexpectedLength: Self { .init(.unexpectedLength) }
    /// An integer is outside the range of the field.
    public static var integerOutOfRange: Self { .init(.integerOutOfRange) }
    /// A well-formed value is not allowed in this field.
    public static var invalidValue: Self { .init(.invalidValue) }
    /// This library does not support the version or the suite.
    public static var unsupportedVersion: Self { .init(.unsupportedVersion) }
    /// The message is not of the expected type.
    public static var unexpectedMessage: Self { .init(.unexpectedMessage) }
    /// A message contains an extension with a negative key that this library does not know. The message is refused,
    /// because the sender relies on what the extension means.
    public static var unknownCriticalExtension: Self { .init(.unknownCriticalExtension) }
    /// An unprotected header that is not empty.
    public static var unprotectedHeader: Self { .init(.unprotectedHeader) }
    /// A header marked critical that this library does not know (RFC 9052, section 3.1).
    public static var unknownCriticalHeader: Self { .init(.unknownCriticalHeader) }
    /// A list of critical headers that is empty, or names a header that is absent, or contains an item that is not a
    /// label (RFC 9052, section 3.1).
    public static var invalidCriticalHeader: Self { .init(.invalidCriticalHeader) }
    /// The protected and the unprotected header contain the same label.
    public static var duplicateHeader: Self { .init(.duplicateHeader) }
    /// A required header is missing.
    public static var missingHeader: Self { .init(.missingHeader) }
    /// The message does not have this header.
    public static var unexpectedHeader: Self { .init(.unexpectedHeader) }
    /// No algorithm is named in the protected header.
    public static var missingAlgorithm: Self { .init(.missingAlgorithm) }
    /// The algorithm is not accepted here.
    public static var unsupportedAlgorithm: Self { .init(.unsupportedAlgorithm) }
    /// The payload or ciphertext is detached.
    public static var missingPayload: Self { .init(.missingPayload) }
    /// The bytes are not a public key of the algorithm.
    public static var invalidKey: Self { .init(.invalidKey) }
    /// The signature over these bytes was not made with the key.
    public static var invalidSignature: Self { .init(.invalidSignature) }
    /// The text does not have the expected form: base64url or hexadecimal, or Base45.
    public static var invalidText: Self { .init(.invalidText) }
    /// The input is empty.
    public static var empty: Self { .init(.empty) }

    var message: String {
        switch name {
        case .truncated: "the bytes end in the middle of an item"
        case .trailingBytes: "bytes follow the outermost item"
        case .tooLarge: "more bytes than the limit allows"
        case .tooDeep: "nested deeper than the limit allows"
        case .tooManyItems: "more items than the limit allows"
        case .nonShortestLength: "a number or length is not in its shortest form"
        case .indefiniteLength: "indefinite lengths are not allowed"
        case .reservedValue: "the encoding is reserved"
        case .floatingPoint: "floating-point numbers are not allowed"
        case .bignum: "bignums are not allowed"
        case .unsupportedTag: "only tags 16 and 18 are allowed"
        case .unsupportedSimpleValue: "the only simple values allowed are false, true and null"
        case .unsortedMapKeys: "the keys of a map are not sorted"
        case .duplicateMapKey: "a map has the same key twice"
        case .invalidUTF8: "a text is not UTF-8"
        case .unexpectedType: "the item has another kind than expected"
        case .unexpectedTag: "the tag is not the expected one"
        case .unexpectedCount: "the number of members is not the expected one"
        case .unexpectedLength: "the byte string has another length than expected"
        case .integerOutOfRange: "the integer is out of range"
        case .invalidValue: "the value is not allowed here"
        case .unsupportedVersion: "the version or suite is not supported"
        case .unexpectedMessage: "the message has another type than expected"
        case .unknownCriticalExtension: "a critical extension is unknown"
        case .unprotectedHeader: "headers must be protected"
        case .unknownCriticalHeader: "a critical header is unknown"
        case .invalidCriticalHeader: "the list of critical headers is not valid"
        case .duplicateHeader: "the protected and the unprotected header have the same label"
        case .missingHeader: "a required header is missing"
        case .unexpectedHeader: "the message does not have this header"
        case .missingAlgorithm: "the algorithm is missing"
        case .unsupportedAlgorithm: "the algorithm is not accepted here"
        case .missingPayload: "the payload is missing"
        case .invalidKey: "the bytes are not a public key of the algorithm"
        case .invalidSignature: "the signature is not valid"
        case .invalidText: "the text does not have the expected form"
        case .empty: "the input is empty"
        }
    }
}

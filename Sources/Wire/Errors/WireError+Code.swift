extension WireError {
    /// What was wrong with the bytes. More codes may come; do not rely on having seen them all.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case truncated, trailingBytes, tooLarge, tooDeep, tooManyItems
            case nonShortestLength, indefiniteLength, reservedValue
            case floatingPoint, bignum, unsupportedTag, unsupportedSimpleValue
            case unsortedMapKeys, duplicateMapKey, invalidUTF8
            case unexpectedType, unexpectedTag, unexpectedCount, unexpectedLength, integerOutOfRange, invalidValue
            case unsupportedVersion, unexpectedMessage
            case unprotectedHeader, unknownCriticalHeader, invalidCriticalHeader, duplicateHeader, missingHeader,
                unexpectedHeader
            case missingAlgorithm, unsupportedAlgorithm, missingPayload
            case invalidKey, invalidSignature
            case invalidText, empty
        }

        private let name: Name

        private init(_ name: Name) { self.name = name }

        /// The name of the code as it is spelled in Swift.
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
    /// More items than the limit allows, or announced than could fit.
    public static var tooManyItems: Self { .init(.tooManyItems) }
    /// A number or length is not in its shortest form (RFC 8949 §4.2.1).
    public static var nonShortestLength: Self { .init(.nonShortestLength) }
    /// An indefinite length, or the break that ends one.
    public static var indefiniteLength: Self { .init(.indefiniteLength) }
    /// An encoding that RFC 8949 §3 reserves or calls not well-formed.
    public static var reservedValue: Self { .init(.reservedValue) }
    /// A floating-point number.
    public static var floatingPoint: Self { .init(.floatingPoint) }
    /// A bignum (tag 2 or 3).
    public static var bignum: Self { .init(.bignum) }
    /// A tag other than 16 and 18.
    public static var unsupportedTag: Self { .init(.unsupportedTag) }
    /// A simple value other than false, true and null.
    public static var unsupportedSimpleValue: Self { .init(.unsupportedSimpleValue) }
    /// The keys of a map are not in bytewise order of their encodings (RFC 8949 §4.2.1).
    public static var unsortedMapKeys: Self { .init(.unsortedMapKeys) }
    /// The same key stands twice in a map.
    public static var duplicateMapKey: Self { .init(.duplicateMapKey) }
    /// A text that is not UTF-8.
    public static var invalidUTF8: Self { .init(.invalidUTF8) }
    /// An item of another kind than the one that belongs here.
    public static var unexpectedType: Self { .init(.unexpectedType) }
    /// A supported tag that does not belong here, or a missing one.
    public static var unexpectedTag: Self { .init(.unexpectedTag) }
    /// An array or map with another number of members than the one that belongs here.
    public static var unexpectedCount: Self { .init(.unexpectedCount) }
    /// A byte string with another length than the one that belongs here.
    public static var unexpectedLength: Self { .init(.unexpectedLength) }
    /// An integer beyond what this field can hold.
    public static var integerOutOfRange: Self { .init(.integerOutOfRange) }
    /// A well-formed value that means nothing here.
    public static var invalidValue: Self { .init(.invalidValue) }
    /// A version or suite of the protocol that this library does not speak.
    public static var unsupportedVersion: Self { .init(.unsupportedVersion) }
    /// A message of another type than the one that belongs here.
    public static var unexpectedMessage: Self { .init(.unexpectedMessage) }
    /// An unprotected header that is not empty.
    public static var unprotectedHeader: Self { .init(.unprotectedHeader) }
    /// A header marked critical that this library does not know (RFC 9052 §3.1).
    public static var unknownCriticalHeader: Self { .init(.unknownCriticalHeader) }
    /// A list of critical headers that is empty, or names a header that is absent or no label (RFC 9052 §3.1).
    public static var invalidCriticalHeader: Self { .init(.invalidCriticalHeader) }
    /// The same label stands in both the protected and the unprotected header.
    public static var duplicateHeader: Self { .init(.duplicateHeader) }
    /// A header that must be there is not.
    public static var missingHeader: Self { .init(.missingHeader) }
    /// A header that does not belong here.
    public static var unexpectedHeader: Self { .init(.unexpectedHeader) }
    /// No algorithm is named in the protected header.
    public static var missingAlgorithm: Self { .init(.missingAlgorithm) }
    /// An algorithm that is not accepted here.
    public static var unsupportedAlgorithm: Self { .init(.unsupportedAlgorithm) }
    /// The payload or ciphertext is detached.
    public static var missingPayload: Self { .init(.missingPayload) }
    /// Bytes that are no public key of the algorithm.
    public static var invalidKey: Self { .init(.invalidKey) }
    /// A signature that the key did not make over these bytes.
    public static var invalidSignature: Self { .init(.invalidSignature) }
    /// A text that is not in the form that belongs here: base64url or hex, or Base45.
    public static var invalidText: Self { .init(.invalidText) }
    /// Nothing at all.
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
        case .duplicateMapKey: "a key stands twice in a map"
        case .invalidUTF8: "a text is not UTF-8"
        case .unexpectedType: "another kind of item belongs here"
        case .unexpectedTag: "another tag belongs here"
        case .unexpectedCount: "another number of members belongs here"
        case .unexpectedLength: "a byte string of another length belongs here"
        case .integerOutOfRange: "the integer is out of range"
        case .invalidValue: "the value is not allowed here"
        case .unsupportedVersion: "the version or suite is not supported"
        case .unexpectedMessage: "another type of message belongs here"
        case .unprotectedHeader: "headers must be protected"
        case .unknownCriticalHeader: "a critical header is unknown"
        case .invalidCriticalHeader: "the list of critical headers is not valid"
        case .duplicateHeader: "a header stands in both maps"
        case .missingHeader: "a required header is missing"
        case .unexpectedHeader: "a header does not belong here"
        case .missingAlgorithm: "the algorithm is missing"
        case .unsupportedAlgorithm: "the algorithm is not accepted here"
        case .missingPayload: "the payload is missing"
        case .invalidKey: "the bytes are no public key of the algorithm"
        case .invalidSignature: "the signature is not valid"
        case .invalidText: "the text is not in the form that belongs here"
        case .empty: "there is nothing"
        }
    }
}

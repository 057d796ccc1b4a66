public import Primitives

/// A notice of the application server that accompanies a refusal: a text for the user, data for the app, or both.
///
/// The platform signs and seals it with the refusal. Nothing else carries a notice: an app never shows a text from an
/// unauthenticated source.
public struct RefusalNotice: Sendable, Hashable, Redacted {
    /// The maximum length of a text, in bytes of UTF-8.
    public static let maximumTextBytes = 256

    /// The maximum length of a payload, in bytes.
    public static let maximumPayloadBytes = 1_024

    /// The text for the user, 1 to 256 bytes of UTF-8; `nil` for none. Show ``displayed`` as the site's text, next to
    /// the SDK's text.
    public let text: String?

    /// The data for the app, 1 to 1,024 bytes in a form that the application server and the app agree on; `nil` for
    /// none.
    public let payload: [UInt8]?

    /// The text in a Unicode isolate, for display: it does not reorder adjacent text. `nil` for no text.
    public var displayed: String? { text.map(DisplayText.isolated) }

    /// Creates a notice.
    ///
    /// - Parameters:
    ///   - text: 1 to 256 bytes of UTF-8, without control characters, separators of lines, characters that are not
    ///     shown and characters that change the direction of writing. At least one character is visible.
    ///     <doc:Approvals> contains the lists.
    ///   - payload: 1 to 1,024 bytes.
    /// - Throws: ``RefusalNoticeError`` with `textLength`, `textCharacter`, `payloadLength`, or `empty` when both are
    ///   missing.
    public init(text: String? = nil, payload: [UInt8]? = nil) throws(RefusalNoticeError) {
        if let text {
            guard (1...Self.maximumTextBytes).contains(text.utf8.count) else { throw RefusalNoticeError(.textLength) }
            guard DisplayText.hasAllowedCharacters(text), DisplayText.isSeen(text) else {
                throw RefusalNoticeError(.textCharacter)
            }
        }
        if let payload, !(1...Self.maximumPayloadBytes).contains(payload.count) {
            throw RefusalNoticeError(.payloadLength)
        }
        guard text != nil || payload != nil else { throw RefusalNoticeError(.empty) }
        self.text = text
        self.payload = payload
    }
}

// The wire form: an extension of an answer that refuses.
extension RefusalNotice {
    /// The key of the extension.
    package static let extensionKey: Int64 = 4

    /// The value of the extension: `[text, payload]`, each of them or null.
    package var value: CBORValue {
        .array([text.map { .text($0) } ?? .null, payload.map { .bytes($0) } ?? .null])
    }

    /// Creates a notice from the value of an extension; `nil` for a value that breaks a rule.
    package init?(_ value: CBORValue) {
        guard case .array(let members) = value, members.count == 2 else { return nil }
        let (text, payload): (String?, [UInt8]?)
        switch members[0] {
        case .text(let value): text = value
        case .null: text = nil
        default: return nil
        }
        switch members[1] {
        case .bytes(let value): payload = value
        case .null: payload = nil
        default: return nil
        }
        guard let notice = try? RefusalNotice(text: text, payload: payload) else { return nil }
        self = notice
    }
}

extension AnswerMessage {
    /// The notice of a refusal; `nil` in an acceptance, and if no valid notice is present.
    package var notice: RefusalNotice? {
        guard case .refused = result else { return nil }
        return head.extensions[RefusalNotice.extensionKey].flatMap(RefusalNotice.init)
    }
}

/// The error for a notice. It contains no part of the text or payload.
public struct RefusalNoticeError: CodedError, Sendable {
    /// The rule that is broken.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The text is empty, or has more than ``RefusalNotice/maximumTextBytes`` bytes.
        public static let textLength = Code(description: "textLength")
        /// The text contains a control character, a line separator, a character that is not shown or one that changes
        /// the direction of writing, or shows nothing.
        public static let textCharacter = Code(description: "textCharacter")
        /// The payload is empty, or has more than ``RefusalNotice/maximumPayloadBytes`` bytes.
        public static let payloadLength = Code(description: "payloadLength")
        /// The text and the payload are both missing.
        public static let empty = Code(description: "empty")
    }

    /// The rule that is broken.
    public let code: Code

    /// The place in the source where the notice was refused.
    public let location: SourceLocation

    /// The code in words.
    public var message: String {
        switch code {
        case .textLength: "the text must have 1 to \(RefusalNotice.maximumTextBytes) bytes"
        case .textCharacter: "the text has a character that is not allowed, or shows nothing"
        case .payloadLength: "the payload must have 1 to \(RefusalNotice.maximumPayloadBytes) bytes"
        default: "a notice has a text, a payload, or both"
        }
    }

    init(_ code: Code, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        location = SourceLocation(fileID: fileID, line: line)
    }
}

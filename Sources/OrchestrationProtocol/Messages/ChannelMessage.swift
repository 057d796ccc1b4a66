/// A message of the channel: the request of a device, and the content of an acceptance.
///
/// Each message has a folder next to this file, with its request, its answer and their wire form. A value of the type
/// is the request. ``RequestBody`` is the registry of all messages.
package protocol ChannelMessage: MessageBody {
    /// The body of an answer that accepts the request.
    associatedtype Answer: MessageBody

    /// The name of the message.
    static var type: MessageType { get }

    /// The request as a case of the registry.
    var body: RequestBody { get }
}

/// The members of a request or an answer, which are one CBOR array.
package protocol MessageBody: Sendable, Hashable {
    /// Reads the array.
    ///
    /// - Throws: ``WireError`` for anything that ``write(to:)`` does not produce.
    init(from reader: inout CBORReader) throws(WireError)

    /// Writes the array.
    func write(to output: inout some CBOROutput)
}

/// A body without members.
package struct EmptyBody: MessageBody {
    package init() {}

    package init(from reader: inout CBORReader) throws(WireError) { try reader.readArray(count: 0) }

    package func write(to output: inout some CBOROutput) { output.array(0) }
}

/// The name of a message on the wire.
///
/// A signature covers the name twice: in the payload, and in the external associated data. Each message defines its own
/// name; no name is derived from input.
package struct MessageType: Sendable, Hashable, CustomStringConvertible {
    /// The name in a request, such as "user.delete".
    package let requestName: String

    /// The name in an answer, such as "user.delete/answer".
    package let answerName: String

    init(_ name: String) {
        requestName = name
        answerName = name + "/answer"
    }

    /// The name in a request. Safe to log.
    package var description: String { requestName }

    /// The maximum length of a name in UTF-8 bytes.
    static let maximumByteCount = 64
}

extension ChannelMessage {
    /// Reads a request of this type.
    static func readRequest(from reader: inout CBORReader) throws(WireError) -> RequestBody {
        try Self(from: &reader).body
    }

    /// Reads an answer to this type.
    static func readAnswer(from reader: inout CBORReader) throws(WireError) -> AnswerBody {
        AnswerBody(try Answer(from: &reader), to: Self.self)
    }
}

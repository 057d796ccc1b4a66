package import Primitives

/// A device's request that its user seals data. The platform turns it into an approval request for this device alone.
package struct SealRequestMessage: ChannelMessage {
    package static let type = MessageType("seal.request")

    /// The data, within the limits of ``SealContent``.
    package var content: SealContent

    /// The method by which the user approves: any except possession.
    package var method: AuthenticationMethod

    package init(content: SealContent, method: AuthenticationMethod) {
        self.content = content
        self.method = method
    }

    /// Decodes a request.
    ///
    /// - Throws: ``WireError`` with `invalidValue` for a name or a text that ``SealContent`` refuses or that is not in
    ///   normalization form C, a text with a name or another digest, data that cannot be displayed, and possession; and
    ///   the errors of a field outside its limits.
    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 4)
        let start = reader.offset
        let name = try reader.readIfNull() ? nil : reader.readText(maximumBytes: SealContent.maximumNameBytes)
        let digest = try reader.readBytes(count: FieldSize.hash)
        let text = try reader.readIfNull() ? nil : reader.readText(maximumBytes: SealContent.maximumTextBytes)
        do throws(SealFault) {
            if let text {
                content = try SealContent(text: text)
            } else {
                content = try SealContent(name: name, digest: digest)
            }
        } catch {
            throw WireError(.invalidValue, offset: start)
        }
        guard Self.isEqual(content.name, name), Self.isEqual(content.text, text), content.digest == digest,
            content.display != nil
        else { throw WireError(.invalidValue, offset: start) }
        let methodStart = reader.offset
        method = try reader.readCase(AuthenticationMethod.self)
        guard method != .possession else { throw WireError(.invalidValue, offset: methodStart) }
    }

    package func write(to output: inout some CBOROutput) {
        output.array(4)
        if let name = content.name { output.text(name) } else { output.null() }
        output.bytes(content.digest)
        if let text = content.text { output.text(text) } else { output.null() }
        output.unsigned(UInt64(method.rawValue))
    }

    package var body: RequestBody { .sealRequest(self) }

    /// Returns whether two texts have the same bytes. Swift compares texts by canonical equivalence.
    private static func isEqual(_ a: String?, _ b: String?) -> Bool {
        a.map { Array($0.utf8) } == b.map { Array($0.utf8) }
    }

    /// The approval request, which the device then fetches and answers.
    package struct Answer: MessageBody {
        /// 16 bytes.
        package var id: [UInt8]

        package init(id: [UInt8]) { self.id = id }

        package init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 1)
            id = try reader.readBytes(count: FieldSize.identifier)
        }

        package func write(to output: inout some CBOROutput) {
            output.array(1)
            output.bytes(id)
        }
    }
}

extension SealContent {
    /// The fields of the approval request of a seal: the text or the name, and the digest in hexadecimal; `nil` for a
    /// text that is too long for a field.
    package var display: DisplayData? {
        let shown: [DisplayField] = text.map { [.text($0)] } ?? name.map { [.field(label: "Name", value: $0)] } ?? []
        return try? DisplayData(shown + [.field(label: "SHA-256", value: hexDigest)])
    }
}

extension RequestBody {
    package static func sealRequest(_ content: SealContent, method: AuthenticationMethod) -> RequestBody {
        .sealRequest(SealRequestMessage(content: content, method: method))
    }
}

extension AnswerBody {
    package static func sealRequest(id: [UInt8]) -> AnswerBody {
        AnswerBody(SealRequestMessage.Answer(id: id), to: SealRequestMessage.self)
    }
}

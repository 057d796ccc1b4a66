internal import Primitives

/// The application server that asks for an approval: the id and the name of its API key.
///
/// The platform signs both into the approval request. An app shows the name above all fields, because two application
/// servers of one platform can otherwise send equal requests. The article <doc:Approvals> states the rules.
public struct ApprovalPrincipal: Sendable, Hashable {
    /// The id of the API key, or the SHA-256 of the client certificate in hexadecimal; empty for code that embeds the
    /// platform and names no other id.
    public let id: String

    /// The name that an administrator gave to the key, 1 to 64 characters. The name of the tenant for code that embeds
    /// the platform and names none.
    public let name: String

    /// The name between Unicode isolates: a right-to-left name does not reorder adjacent text.
    public var displayed: String { DisplayText.isolated(name) }

    /// Creates a principal.
    ///
    /// - Parameters:
    ///   - id: The id: at most 64 bytes of UTF-8 without control characters and characters that change the direction
    ///     of writing; empty for none.
    ///   - name: The name: a text of 1 to 64 characters that follows the rules of ``DisplayData``.
    /// - Throws: ``DisplayDataError`` with `tooLong`, `forbiddenCharacter`, `notNormalized`, `empty`.
    public init(id: String, name: String) throws(DisplayDataError) {
        guard id.utf8.count <= FieldLimit.principalID else { throw DisplayDataError(.tooLong) }
        guard DisplayText.hasAllowedCharacters(id) else { throw DisplayDataError(.forbiddenCharacter) }
        if let problem = DisplayText.problem(of: name, characters: 1...FieldLimit.principalName) {
            throw DisplayDataError(problem)
        }
        self.id = id
        self.name = name
    }

    /// Creates the principal of code that embeds the platform and names none. A tenant follows the rules of a name.
    package init(tenant: String) {
        id = ""
        name = tenant
    }
}

extension ApprovalPrincipal {
    /// Decodes a principal.
    ///
    /// - Throws: ``WireError`` with `tooLarge` for a text of too many bytes, `invalidValue` for a text that breaks
    ///   another rule.
    init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 2)
        let start = reader.offset
        let id = try reader.readText(maximumBytes: FieldLimit.principalID)
        // A code point has at most four bytes.
        let name = try reader.readText(maximumBytes: FieldLimit.principalName * 4)
        do throws(DisplayDataError) {
            try self.init(id: id, name: name)
        } catch {
            throw WireError(.invalidValue, offset: start)
        }
    }

    func write(to output: inout some CBOROutput) {
        output.array(2)
        output.text(id)
        output.text(name)
    }
}

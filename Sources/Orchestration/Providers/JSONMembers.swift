internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The members of a JSON file of texts or of a theme.
enum JSONMembers {
    /// The value of a member: a text or a whole number. For any other value, both properties are `nil`.
    struct Value: Decodable {
        let text: String?
        let number: Int?

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = try? value.decode(String.self)
            number = try? value.decode(Int.self)
        }
    }

    /// The reason why a file contains no members.
    struct Fault: Error {
        let reason: String
    }

    /// Returns the members of the one object of a file.
    static func read(_ json: Data) throws(Fault) -> [String: Value] {
        do throws(JSONSyntax.Fault) { try JSONSyntax.check(Array(json)) } catch {
            throw Fault(reason: error.description)
        }
        do { return try JSONDecoder().decode([String: Value].self, from: json) } catch {
            throw Fault(reason: "it is not one object")
        }
    }

    /// Returns a file with texts, in the order of their keys.
    static func write(_ texts: [String: String]) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Texts can always be encoded.
        return (try? encoder.encode(texts)) ?? Data()
    }
}

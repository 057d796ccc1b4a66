import Foundation
import Testing
import TrustedIdentity

/// Each field of each request of the OpenAPI document: missing, null, of another type, too long and empty.
@Suite struct OpenAPIFieldTests {
    /// A field of a request.
    private struct Field {
        /// The names from the body to the field, with dots.
        let path: String
        /// The maximum length of a text; `nil` without a bound.
        let maximumLength: Double?
    }

    /// A body with one value instead of another.
    private struct Case {
        let field: String
        let body: Data
        let isAbsent: Bool
        /// Whether the document allows the body.
        let isAllowed: Bool
    }

    /// Fields whose absence makes the call wait for a user, or needs another field.
    private static let needed: Set = ["timeout", "credentials", "credentials.authenticator", "data.standard", "digest"]

    private let description: OpenAPIDescription

    init() throws { description = try OpenAPIDescription.served.get() }

    @Test func `the server refuses by name what the document refuses, and takes what it allows`() async throws {
        var refused = 0
        for operation in description.operations.sorted(by: { $0.description < $1.description }) {
            guard let schema = operation.value["requestBody"]?["content"]?["application/json"]?["schema"] else {
                continue
            }
            var base = try #require(ServerReferenceTests.bodies[operation.description])
            if operation.path.hasSuffix("/login") { base["timeout"] = 0 }
            let cases = try fields(of: schema).flatMap { try self.cases($0, in: base, schema) }
            refused += cases.count { !$0.isAllowed }
            let path = operation.path.replacing("{user}", with: "alice").replacing("{requestID}", with: "none")
            try await TestServer.run(PlatformConfiguration(requestsPerAddress: 1_000)) { server in
                for row in cases where !(row.isAllowed && Self.needed.contains(row.field)) {
                    let answer = try await server.send(
                        operation.method, path, body: row.body,
                        headers: ["Authorization": "Bearer \(server.applicationKey)"])
                    let text = "\(operation.description) \(String(decoding: row.body.prefix(300), as: UTF8.self))"
                    #expect(answer.status < 500, "\(text)")
                    if row.isAllowed {
                        #expect(!row.isAbsent || answer.errorCode != -1001, "\(text)")
                        continue
                    }
                    #expect(answer.status == 400, "\(text)")
                    guard let named = answer.fields.first else {
                        Issue.record("no field is named: \(text)")
                        continue
                    }
                    #expect(named.hasPrefix(row.field) || row.field.hasPrefix(named), "\(named) in \(text)")
                }
            }
        }
        #expect(refused > 300)
    }

    private func cases(_ field: Field, in base: [String: Any], _ schema: JSONValue) throws -> [Case] {
        let others: [Any?] = [nil, NSNull(), "", true, 7, -1, 99_999_999, 1.5, ["x"], [7], ["x": "x"]]
        let long: [Any?] = field.maximumLength.map { [String(repeating: "a", count: Int($0) + 1)] } ?? []
        return try (others + long).map { value in
            let body = try JSONSerialization.data(withJSONObject: ServerReferenceTests.set(base, field.path, value))
            // Members that the document does not describe are ignored in requests.
            let problems = description.check.problems(try JSONDecoder().decode(JSONValue.self, from: body), schema)
            return Case(
                field: field.path, body: body, isAbsent: value == nil || value is NSNull,
                isAllowed: problems.allSatisfy { $0.hasSuffix("is not described") })
        }
    }

    /// Returns the fields of an object and of the objects in it, without those in arrays.
    private func fields(of schema: JSONValue, in prefix: String = "") -> [Field] {
        variants(of: schema).flatMap { $0["properties"]?.object ?? [:] }.sorted { $0.key < $1.key }.flatMap {
            name, member in
            let lengths = variants(of: member).compactMap { $0["maxLength"]?.number }
            return [Field(path: prefix + name, maximumLength: lengths.max())]
                + fields(of: member, in: prefix + name + ".")
        }
    }

    /// Returns a schema without references, with its alternatives.
    private func variants(of schema: JSONValue) -> [JSONValue] {
        if let name = schema["$ref"]?.text { return description.check.resolve(name).map(variants) ?? [] }
        return [schema] + (schema["anyOf"]?.array ?? []).flatMap(variants)
    }
}

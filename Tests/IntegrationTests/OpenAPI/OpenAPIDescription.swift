import Foundation

@testable import TrustedIdentityServer

/// The document `openapi.json`, to validate replies against.
struct OpenAPIDescription: Sendable {
    /// The document that the server serves.
    static let served = Result { try OpenAPIDescription(OpenAPIDocument.json) }

    /// A method of a path.
    struct Operation: Sendable {
        let method: String
        let path: String
        let value: JSONValue

        var description: String { "\(method) \(path)" }
    }

    let document: JSONValue
    let operations: [Operation]
    var check: SchemaCheck { SchemaCheck(document: document) }

    init(_ json: [UInt8]) throws {
        document = try JSONDecoder().decode(JSONValue.self, from: Data(json))
        operations = (document["paths"]?.object ?? [:]).flatMap { path, methods in
            (methods.object ?? [:]).map { Operation(method: $0.uppercased(), path: path, value: $1) }
        }
    }

    /// Returns what is wrong with a reply.
    ///
    /// - Parameters:
    ///   - path: The path and query of the request.
    ///   - header: The value of a header of the reply, by name.
    func problems(
        _ method: String, _ path: String, status: Int, header: (String) -> String?, body: Data
    ) -> [String] {
        guard let operation = operation(method, path) else {
            // A request that is no HTTP reaches no route.
            if status == 400, body.isEmpty { return [] }
            let json = try? JSONDecoder().decode(JSONValue.self, from: body)
            guard [400, 404, 405].contains(status), let json else { return ["no operation, and status \(status)"] }
            return check.problems(json, .object(["$ref": .text("#/components/schemas/Error")]))
        }
        guard let listed = operation.value["responses"]?["\(status)"] else {
            return ["\(operation.description): the status \(status) is not listed"]
        }
        let response = listed["$ref"]?.text.flatMap(check.resolve) ?? listed
        var found = (response["headers"]?.object ?? [:]).flatMap { name, value in
            let described = value["$ref"]?.text.flatMap(check.resolve) ?? value
            guard let text = header(name) else { return ["the header \(name) is missing"] }
            return described["schema"].map { check.problems(.text(text), $0, at: name) } ?? []
        }
        let contents = response["content"]?.object ?? [:]
        let type = header("content-type").map { $0.prefix { $0 != ";" } }.map(String.init) ?? ""
        guard !contents.isEmpty else { return found + (body.isEmpty ? [] : ["there is a body"]) }
        guard let content = contents[type] else { return found + ["the type \(type) is not listed"] }
        guard type == "application/json" else { return found }
        guard let json = try? JSONDecoder().decode(JSONValue.self, from: body), let schema = content["schema"] else {
            return found + ["the body is no JSON, or has no schema"]
        }
        found += check.problems(json, schema)
        // The kind of an error is one that the operation, or every operation, has.
        if let code = json["errorCode"]?.number, status >= 400 {
            let own = operation.value["x-error-codes"]?.array?.compactMap(\.number) ?? []
            if !own.contains(code), !Self.general.contains(Int(code)) {
                found.append("the error \(code) is not listed")
            }
        }
        return found
    }

    /// The errors that any operation may answer, which its own list does not repeat.
    static let general: Set<Int> = [
        -1000, -1001, -1003, -1004, -1005, -1006, -1008, -1050, -1051, -1052, -1053, -1054, -1055, -1056,
    ]

    /// Returns the operation of a request.
    private func operation(_ method: String, _ path: String) -> Operation? {
        let segments = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        return operations.first { operation in
            let template = operation.path.split(separator: "/", omittingEmptySubsequences: false)
            return operation.method == method && template.count == segments.count
                && zip(template, segments).allSatisfy { $0.hasPrefix("{") ? !$1.isEmpty : $0 == $1 }
        }
    }
}

import Foundation
import Hummingbird
import Testing

@testable import TrustedIdentityServer

/// The OpenAPI document against the article "REST reference", the list of errors, and planted replies.
/// `TestServer.send` validates every reply of the other tests against it.
@Suite struct OpenAPITests {
    let description: OpenAPIDescription

    init() throws { description = try OpenAPIDescription.served.get() }

    @Test func `the served document is the one in the repository`() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/TrustedIdentityServer/API/OpenAPI/openapi.json")
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/openapi.json")
            #expect(answer.status == 200 && answer.header("content-type") == "application/json")
            #expect(answer.body == (try Data(contentsOf: file)))
        }
    }

    @Test func `the operations, their scopes, fields and errors are those of the article`() throws {
        let routes = try RESTReference.load().routes
        #expect(Set(routes.map(\.description)) == Set(description.operations.map(\.description)))
        for route in routes {
            let operation = try #require(description.operations.first { $0.description == route.description })
            #expect(scopes(operation) == route.scopes || route.scopes.isEmpty, "\(route)")
            let request = operation.value["requestBody"]?["content"]?["application/json"]?["schema"]
            let fields = request.map { names($0) } ?? [:]
            if !route.path.contains("visualcodes") {
                #expect(Set(fields.keys) == Set(route.request.map(\.name)), "\(route)")
            }
            for field in route.request where !["data.standard", "digest"].contains(field.name) {
                #expect(fields[field.name] == field.isRequired, "\(route), \(field.name)")
            }
            let codes = Set((operation.value["x-error-codes"]?.array ?? []).compactMap { $0.number.map { Int($0) } })
            #expect(codes.isSuperset(of: route.errors), "\(route)")
            let reply = operation.value["responses"]?["200"]?["content"]?["application/json"]?["schema"]
            guard let reply, route.path != "/openapi.json" else { continue }
            #expect(Set(names(reply).keys) == Set(route.reply.map(\.name)), "\(route)")
        }
    }

    @Test func `each error code is listed once, and each status of an operation's errors`() throws {
        let list = description.check.resolve("#/components/schemas/ErrorCode")?["oneOf"]?.array ?? []
        #expect(
            list.compactMap { $0["const"]?.number.map { Int($0) } }.sorted() == APIErrorCode.all.map(\.number).sorted())
        for code in APIErrorCode.all {
            let entry = list.first { $0["const"] == .number(Double(code.number)) }
            #expect(entry?["title"] == .text(code.description))
        }
        for operation in description.operations {
            for number in operation.value["x-error-codes"]?.array ?? [] {
                let code = try #require(APIErrorCode.all.first { Double($0.number) == number.number })
                #expect(
                    operation.value["responses"]?["\(code.status.code)"] != nil, "\(operation.description), \(number)")
            }
        }
    }

    @Test(arguments: [
        (#"{"status":"ok"}"#, 200, "application/json", true),
        (#"{}"#, 200, "application/json", false),
        (#"{"status":"fine"}"#, 200, "application/json", false),
        (#"{"status":7}"#, 200, "application/json", false),
        (#"{"status":"ok","more":1}"#, 200, "application/json", false),
        (#"{"status":"ok"}"#, 201, "application/json", false),
        (#"{"status":"ok"}"#, 200, "text/plain", false),
        ("ok", 200, "application/json", false),
    ])
    func `a reply that is not as described is found`(_ body: String, status: Int, type: String, isRight: Bool) throws {
        let headers = ["log-correlation-id": "a", "content-type": type]
        let problems = description.problems(
            "GET", "/health", status: status, header: { headers[$0.lowercased()] }, body: Data(body.utf8))
        #expect(problems.isEmpty == isRight, "\(problems)")
    }

    @Test func `a missing header, an error of another route and an unknown keyword are found`() {
        let status = Data(#"{"status":"ok"}"#.utf8)
        let types = ["content-type": "application/json"]
        #expect(
            !description.problems("GET", "/health", status: 200, header: { types[$0.lowercased()] }, body: status)
                .isEmpty)
        func error(_ code: Int) -> [String] {
            let body = """
                {"errorCategory":"user","error":"","errorCode":\(code),"message":"","service":"trusted-identity",\
                "logCorrelationId":"a","timestamp":"2026-01-31T12:00:00.000Z"}
                """
            let headers = ["log-correlation-id": "a"].merging(types) { first, _ in first }
            return description.problems(
                "GET", "/v1/users/alice", status: 404, header: { headers[$0.lowercased()] }, body: Data(body.utf8))
        }
        #expect(error(-1100).isEmpty, "\(error(-1100))")
        #expect(!error(-1401).isEmpty && !error(-9).isEmpty)
        #expect(description.check.problems(.null, .object(["not": .null])).count == 1)
    }

    private func scopes(_ operation: OpenAPIDescription.Operation) -> Set<String> {
        Set((operation.value["security"]?.array ?? []).flatMap { $0["apiKey"]?.texts ?? [] })
    }

    /// Returns the paths of the members that a schema describes, and whether each is required in its object.
    private func names(_ schema: JSONValue, in prefix: String = "") -> [String: Bool] {
        if let name = schema["$ref"]?.text {
            return description.check.resolve(name).map { names($0, in: prefix) } ?? [:]
        }
        var found: [String: Bool] = [:]
        if let items = schema["items"], items["properties"] != nil { found = names(items, in: prefix) }
        for (name, member) in schema["properties"]?.object ?? [:] {
            found[prefix + name] = schema["required"]?.texts.contains(name) ?? false
            found.merge(names(member, in: prefix + name + ".")) { first, _ in first }
        }
        return found
    }
}

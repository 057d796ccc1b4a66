internal import Hummingbird

/// The OpenAPI 3.1 description of the REST API, `openapi.json`. The tests validate each reply of the server against it.
enum OpenAPIDocument {
    /// The document in UTF-8.
    static var json: [UInt8] { PackageResources.openapi_json }
}

extension Handlers {
    /// `GET /openapi.json`: the description of the API. It needs no API key, because the description is public.
    func openAPI(_ request: Request, _ context: ServerContext) async throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
            body: .init(byteBuffer: OpenAPIDocument.buffer))
    }
}

extension OpenAPIDocument {
    fileprivate static let buffer = ByteBuffer(bytes: json)
}

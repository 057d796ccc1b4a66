internal import CommandLine
internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `GET /v1/visualcodes/render`: a QR code, for the address of an `<img>`.
    func renderVisualCode(_ request: Request, _ context: ServerContext) async throws -> Response {
        let image = try VisualCodeRequest(request)
        let address = ClientAddress.of(request, context, configuration.proxies) ?? "local"
        let pointer = try await platform.approvalPointer(named: image.text, from: address)
        let code: QRCode
        do {
            code = try QRCode(pointer?.qrText ?? image.text)
        } catch {
            throw APIError(field: "message", "is too long for a QR code")
        }
        let body =
            switch image.format {
            case .png: ByteBuffer(bytes: code.png())
            case .svg: ByteBuffer(string: code.svg())
            }
        return Response(
            status: .ok,
            headers: [
                .contentType: image.format.mediaType, .cacheControl: "no-store", .vary: "Accept",
                .xContentTypeOptions: "nosniff",
            ], body: .init(byteBuffer: body))
    }
}

/// The query of a request for an image.
struct VisualCodeRequest {
    /// A form of the image.
    enum Format: CaseIterable {
        case png, svg

        var mediaType: String {
            switch self {
            case .png: "image/png"
            case .svg: "image/svg+xml"
            }
        }
    }

    /// The maximum length of the text in bytes of UTF-8. A reader has difficulties with the symbols of longer texts.
    static let maximumTextBytes = 1_024

    let format: Format
    let text: String

    init(_ request: Request) throws(APIError) {
        switch request.uri.queryParameters["format"] {
        case nil: format = Self.preferred(by: request.headers[values: .accept])
        // The proprietary color images of other platforms are not supported. Their name returns the QR code, as `QR`
        // does.
        case "PNG", "QR", "CRONTO": format = .png
        case "SVG": format = .svg
        default: throw APIError(field: "format", "must be one of CRONTO, QR, PNG, SVG")
        }
        guard let message = request.uri.queryParameters["message"] else {
            throw APIError(field: "message", "is required")
        }
        guard message.utf8.count <= 2 * Self.maximumTextBytes else {
            throw APIError(field: "message", "must have at most \(2 * Self.maximumTextBytes) hexadecimal digits")
        }
        guard let bytes = try? Hex.decode(String(message), limit: 2 * Self.maximumTextBytes), !bytes.isEmpty,
            let text = String(validating: bytes, as: UTF8.self)
        else { throw APIError(field: "message", "must be the hexadecimal digits of a UTF-8 text") }
        self.text = text
    }

    /// Returns the form that a caller prefers (RFC 9110, section 12.5.1): PNG, unless SVG has a higher weight, or the
    /// same weight and PNG is not named. A caller that accepts neither gets a PNG image.
    static func preferred(by headers: [String]) -> Format {
        let ranges = headers.flatMap { $0.split(separator: ",") }.map(MediaRange.init)
        let weights = Format.allCases.map { format in
            (format, ranges.filter { $0.matches(format.mediaType) }.max { $0.precision < $1.precision })
        }
        guard case let (_, png) = weights[0], case let (_, svg?) = weights[1], svg.precision == 2 else { return .png }
        guard let png else { return svg.weight > 0 ? .svg : .png }
        if svg.weight != png.weight { return svg.weight > png.weight ? .svg : .png }
        return png.precision < svg.precision ? .svg : .png
    }
}

/// A media range with its weight.
private struct MediaRange {
    private let type: String
    /// The weight in thousandths.
    let weight: Int

    init(_ text: Substring) {
        let parts = text.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
        type = parts.first ?? ""
        let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
        weight = quality.isFinite ? Int(1_000 * min(max(quality, 0), 1)) : 0
    }

    /// 2 for a type, 1 for all images, 0 for everything.
    var precision: Int { type == "*/*" ? 0 : type.hasSuffix("/*") ? 1 : 2 }

    func matches(_ mediaType: String) -> Bool { type == "*/*" || type == "image/*" || type == mediaType }
}

extension HTTPFields.Element.Name {
    /// The header that keeps a browser from guessing another type.
    fileprivate static let xContentTypeOptions = constant("x-content-type-options")
}

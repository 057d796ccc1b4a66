import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Orchestration
import OrchestrationHTTP

/// The transport of a device with an address of its own, which a trusted proxy would name.
///
/// The platform limits what one address may begin and hold. Thousands of devices have thousands of addresses.
struct DeviceTransport: Transport {
    let url: String
    let address: String

    /// Creates the transport of the device of that number.
    init(url: String, number: Int) {
        self.url = url
        address = "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
    }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        do {
            var request = request("/v1/orchestration-commands")
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: try CommandBody.encoded(command)))
            let answer = try await Site.client.execute(request, timeout: .seconds(15))
            let body = try await answer.body.collect(upTo: 1 << 20)
            guard answer.status == .ok else { throw Site.Unexpected(description: String(buffer: body)) }
            return try CommandBody.command(in: Array(body.readableBytesView))
        } catch {
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw OrchestrationError(.transport, underlying: error)
        }
    }

    func request(_ path: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url + path)
        request.headers.add(name: "x-forwarded-for", value: address)
        return request
    }
}

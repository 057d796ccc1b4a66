package import Wire

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The JSON around a command, both ways.
package struct CommandBody: Codable {
    let command: String

    package static func encoded(_ command: OrchestrationCommand) throws -> [UInt8] {
        Array(try JSONEncoder().encode(CommandBody(command: command.text)))
    }

    /// The command in a reply, or a failure that says nothing about what was there instead.
    package static func command(in body: [UInt8]) throws(HTTPFailure) -> OrchestrationCommand {
        guard let reply = try? JSONDecoder().decode(CommandBody.self, from: Data(body)),
            let command = try? OrchestrationCommand(text: reply.command)
        else { throw HTTPFailure(.notACommand) }
        return command
    }

    /// The platform's error code, if the body is its error body.
    static func errorCode(in body: [UInt8]) -> Int? {
        struct ErrorBody: Decodable { let errorCode: Int }
        guard let reply = try? JSONDecoder().decode(ErrorBody.self, from: Data(body)),
            (-1999 ... -1000).contains(reply.errorCode)
        else { return nil }
        return reply.errorCode
    }
}

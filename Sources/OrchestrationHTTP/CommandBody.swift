package import OrchestrationProtocol

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The JSON around a command, in requests and answers.
package struct CommandBody: Codable {
    let command: String

    package static func encoded(_ command: OrchestrationCommand) throws -> [UInt8] {
        Array(try JSONEncoder().encode(CommandBody(command: command.text)))
    }

    /// Returns the command in a reply.
    ///
    /// - Throws: A failure that contains nothing of the body.
    package static func command(in body: [UInt8]) throws(HTTPFailure) -> OrchestrationCommand {
        guard let reply = try? JSONDecoder().decode(CommandBody.self, from: Data(body)),
            let command = try? OrchestrationCommand(text: reply.command)
        else { throw HTTPFailure(.notACommand) }
        return command
    }

    /// Returns the error code of a body; `nil` when it is not an error body of the platform.
    static func errorCode(in body: [UInt8]) -> Int? {
        struct ErrorBody: Decodable { let errorCode: Int }
        guard let reply = try? JSONDecoder().decode(ErrorBody.self, from: Data(body)),
            (-1999 ... -1000).contains(reply.errorCode)
        else { return nil }
        return reply.errorCode
    }
}

internal import ArgumentParser
internal import TrustedIdentity
internal import TrustedIdentitySQLite
internal import TrustedIdentityServer

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Why the program ends without having done what it was asked.
struct Failure: Error {
    /// The exit codes, documented in the root command's help.
    enum Code: CInt {
        case failed = 1
        case usage = 2
        case refused = 3
        case inUse = 4
        case unreachable = 5
        case storage = 6
    }

    static let program = "trusted-identity"

    let code: Code
    let message: String
    let hint: String?

    init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// A reply that is not the one that was asked for.
    init(_ reply: AdministrationReply) {
        switch reply {
        case .refused(.unknownKey): self.init(.refused, "there is no such key", hint: "key list shows them")
        case .refused(.unknownUser): self.init(.refused, "there is no such user")
        case .refused(.malformedUser): self.init(.usage, "the name of the user is not allowed")
        case .refused(.unknownScope): self.init(.usage, "there is no such scope", hint: "app-server or admin")
        case .refused(.malformedName): self.init(.usage, "the name of the key is longer than 64 characters")
        case .created, .keys, .account, .done, .marked:
            self.init(.unreachable, "the running server gave a wrong answer")
        }
    }

    /// Any error, in the program's words. Help and version are no failures and end the program here.
    init(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as SQLiteStoreError: self.init(error)
        case let error as PlatformError: self.init(error)
        case let error as ServerError: self.init(.failed, "\(error)", hint: "choose another address with --listen")
        case AdministrationError.unreachable: self.init(.unreachable, "the running server cannot be asked")
        case AdministrationError.badAnswer: self.init(.unreachable, "the running server gave a wrong answer")
        case is CancellationError: self.init(.failed, "canceled")
        default: self.init(parsing: error)
        }
    }

    private init(_ error: SQLiteStoreError) {
        switch error.code {
        case .inUse:
            self.init(.inUse, error.message, hint: "only one process may serve a folder; stop the other one first")
        case .newerSchema: self.init(.storage, error.message, hint: "use the newer version of this program")
        default: self.init(.storage, error.message)
        }
    }

    private init(_ error: PlatformError) {
        switch error.code {
        case .malformedRequest: self.init(.usage, "the tenant must be 1 to 64 ASCII characters")
        case .wrongTenant: self.init(.storage, error.message, hint: "leave --tenant out to use the folder's own")
        case .wrongMasterKey, .storeFailed: self.init(.storage, error.message)
        default: self.init(.failed, error.message)
        }
    }

    private init(parsing error: any Error) {
        let code = TrustedIdentityCommand.exitCode(for: error)
        let text = TrustedIdentityCommand.fullMessage(for: error)
        if code == .success {
            Output.line(text)
            Self.leave(0)
        }
        guard code == .validationFailure else {
            self.init(.failed, "failed: \(type(of: error))")
            return
        }
        // The parser says "Error: …" first and where to find help last; in between it repeats the usage.
        let lines = text.split(separator: "\n")
        let first = lines.first.map { $0.hasPrefix("Error: ") ? $0.dropFirst(7) : $0 } ?? "wrong usage"
        let help = lines.last?.drop { $0 == " " } ?? ""
        self.init(
            .usage, Self.lowercasingStart(first), hint: help.hasPrefix("See ") ? Self.lowercasingStart(help) : nil)
    }

    private static func lowercasingStart(_ text: Substring) -> String {
        text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Says what happened and ends the program.
    func exit() -> Never {
        Output.complaint("\(Self.program): \(message)")
        if let hint { Output.complaint("hint: \(hint)") }
        Self.leave(code.rawValue)
    }

    private static func leave(_ code: CInt) -> Never {
        #if canImport(Darwin)
            Darwin.exit(code)
        #elseif canImport(Glibc)
            Glibc.exit(code)
        #else
            Musl.exit(code)
        #endif
    }
}

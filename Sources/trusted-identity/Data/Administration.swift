internal import CommandLineReports
internal import Logging
internal import TrustedIdentitySQLite
internal import TrustedIdentityServer

/// Administration of a platform, whether its server runs or not.
///
/// The process that holds the lock of the data performs each request. While a server runs, that is the server, which is
/// asked over its socket. Otherwise this process takes the lock. A server that starts or stops holds the lock without a
/// socket for a moment, so both ways are tried for some seconds. A request that was sent is not sent again.
struct Administration {
    private let folder: DataFolder

    init(data: DataOption) throws(ErrorReport) {
        folder = try DataFolder(path: data.path, mode: .mustExist)
        guard PrivateFile.exists(folder.databasePath) else {
            throw ErrorReport(
                .storage, "there is no platform in \(folder.path)",
                hint: "trusted-identity serve makes it on the first start")
        }
    }

    /// Performs a request.
    ///
    /// - Throws: ``AdministrationError`` when a server gives a wrong answer or none, `SQLiteStoreError` when another
    ///   process holds the lock for too long, and the errors of the store and of the platform.
    func perform(_ request: AdministrationRequest) async throws -> AdministrationReply {
        var last: any Error = AdministrationError.unreachable
        for _ in 0..<50 {
            do throws(AdministrationError) {
                return try await AdministrationClient.perform(request, socket: folder.socketPath)
            } catch {
                guard error == .unreachable else { throw error }
            }
            do {
                return try await performAlone(request)
            } catch let error as SQLiteStoreError where error.code == .inUse {
                last = error
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw last
    }

    private func performAlone(_ request: AdministrationRequest) async throws -> AdministrationReply {
        let silent = Logger(label: TrustedIdentityCommand.name) { _ in SwiftLogNoOpLogHandler() }
        return try await folder.withInstallation(logger: silent) { try await $0.administrator.perform(request) }
    }
}

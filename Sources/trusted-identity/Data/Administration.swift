internal import Logging
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentitySQLite
internal import TrustedIdentityServer

/// Administration of a platform that runs, or that does not.
///
/// Who gets the lock of the data does the work alone; who does not asks the process that has it. A process that is just
/// starting or stopping has the lock and no socket: that passes within seconds.
struct Administration {
    let folder: DataFolder

    init(data: DataOption) throws(Failure) {
        folder = try DataFolder(path: data.path, mode: .mustExist)
        guard PrivateFile.exists(folder.databasePath) else {
            throw Failure(
                .storage, "there is no platform in \(folder.path)",
                hint: "trusted-identity serve makes it on the first start")
        }
    }

    func ask(_ request: AdministrationRequest) async throws -> AdministrationReply {
        var last: any Error = AdministrationError.unreachable
        for _ in 0..<50 {
            do {
                return try AdministrationClient.perform(request, socket: folder.socketPath)
            } catch AdministrationError.badAnswer {
                throw AdministrationError.badAnswer
            } catch {}
            do {
                return try await alone(request)
            } catch let error as SQLiteStoreError where error.code == .inUse {
                last = error
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw last
    }

    private func alone(_ request: AdministrationRequest) async throws -> AdministrationReply {
        let opened = try await folder.open(
            tenant: nil, logger: Logger(label: Failure.program) { _ in SwiftLogNoOpLogHandler() })
        let reply = try await Administrator(platform: opened.platform).perform(request)
        try await opened.store.close()
        return reply
    }
}

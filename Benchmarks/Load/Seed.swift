import ArgumentParser
import Foundation
import Primitives
import TrustedIdentity

/// `load seed`: adds accounts with a device each to a database that no server uses.
///
/// The rows have the form and the size of those that the platform writes. Their secrets open nothing, and no one logs
/// in to them: they are there so that the tables and indexes are large.
struct Seed: AsyncParsableCommand {
    @Option(help: "The folder of the platform.") var data: String
    @Option(help: "The number of accounts that the database has afterwards, at least.") var accounts: Int

    func run() async throws {
        let store = try await SQLiteDatabase(path: data + "/platform.sqlite")
        let random = SystemRandomSource()
        let model = try await store.read { store in
            try store.devices(after: nil, limit: 100).first { $0.activatedAt != nil && $0.state != .revoked }
        }
        guard let model, let account = try await store.read({ try $0.account(model.account) }) else {
            throw ValidationError("the database has no activated device to copy: run load activate first")
        }
        let counters = try await store.read { try $0.codeCounters(of: model.id) }
        let batch = 1_000
        for start in stride(from: 0, to: accounts, by: batch) {
            try await store.write { store in
                for number in start..<min(start + batch, accounts) {
                    var owner = account
                    owner.name = "seed\(number)@master"
                    owner.subject = random.bytes(16)
                    guard try store.insert(owner) else { continue }
                    var device = model
                    device.id = random.bytes(16)
                    device.account = owner.name
                    device.serialNumber = "TI" + String(format: "%010d", number)
                    _ = try store.insert(device)
                    for var counter in counters {
                        counter.device = device.id
                        _ = try store.move(counter, from: nil)
                    }
                }
            }
            if (start / batch) % 100 == 99 { print("\(start + batch) of \(accounts) accounts") }
        }
        try await store.close()
    }
}

import Foundation
import Orchestration
import OrchestrationTesting

/// Users with an activated device each. The password hash of the devices has the cost of tests.
struct Phones: Sendable {
    /// A user's device.
    struct Phone: Sendable {
        let user: String
        let device: Orchestrator
        let transport: DeviceTransport

        /// Returns the pointers that arrive on the stream of the device.
        func pointers(over streams: EventStreams) -> some AsyncSequence<OrchestrationCommand, any Error> & Sendable {
            device.notifications(for: user, over: DeviceStream(transport: transport, streams: streams))
        }
    }

    let all: [Phone]

    /// Registers users and activates a device of each, eight at the same time.
    static func activate(_ count: Int, at site: Site) async throws -> Phones {
        let first = UUID().uuidString.prefix(8).lowercased()
        return try await withThrowingTaskGroup(of: Phone.self) { group in
            var (phones, next): ([Phone], Int) = ([], 0)
            while phones.count < count {
                while next < count, next - phones.count < 8 {
                    let user = "load\(first)\(next)"
                    let transport = DeviceTransport(url: site.url, number: next)
                    group.addTask { try await activate(user, over: transport, site: site) }
                    next += 1
                }
                guard let phone = try await group.next() else { break }
                phones.append(phone)
                if phones.count % 100 == 0 { report("\(phones.count) of \(count) devices are activated") }
            }
            return Phones(all: phones)
        }
    }

    private static func activate(_ user: String, over transport: DeviceTransport, site: Site) async throws -> Phone {
        let device = try await Orchestrator(
            configuration: .testing(postQuantum: .off), transport: transport,
            providers: [ScriptedUser(password: "482915")], store: MemoryStore())
        _ = try await device.user(user).activate(with: try await site.register(user))
        return Phone(user: user, device: device, transport: transport)
    }
}

/// Shows progress beside the results.
func report(_ text: String) { FileHandle.standardError.write(Data("load: \(text)\n".utf8)) }

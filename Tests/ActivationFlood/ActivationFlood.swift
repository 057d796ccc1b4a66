import Foundation
import Orchestration
import OrchestrationHTTP
import OrchestrationTesting
import TrustedIdentity

/// Measures the logins of a platform beside a flood of activation exchanges by strangers, over HTTP, on a database.
///
/// The first phase offers logins alone, the second one offers as many logins beside the exchanges of strangers, each
/// from an address of its own. Meanwhile an honest user activates devices. `Tests/Scripts/activation-flood` builds and
/// runs it.
@main
enum ActivationFlood {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "serve", let seconds = Int(arguments[3]) {
            return try await FloodServer.run(folder: arguments[2], loginsOfEachUser: FloodServer.logins(in: seconds))
        }
        guard arguments.count == 2, let seconds = Int(arguments[1]), seconds >= 10 else {
            print("usage: activation-flood SECONDS (of each of the two phases; 10 or more)")
            exit(2)
        }
        exit(try await measure(seconds: seconds) ? 0 : 1)
    }

    /// Starts a server on a database of its own and measures it.
    ///
    /// - Returns: Whether the goals are met.
    private static func measure(seconds: Int) async throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        report("\(FloodServer.users) devices make \(FloodServer.logins(in: seconds)) codes each")
        let server = try ServedPlatform(folder: folder.path, seconds: seconds)
        defer { server.stop() }
        return try await measure(server, seconds: seconds)
    }

    /// Measures both phases and prints their table.
    ///
    /// - Returns: Whether the goals are met.
    private static func measure(_ server: ServedPlatform, seconds: Int) async throws -> Bool {
        let traffic = try await Traffic(server)
        let count = FloodServer.rate * seconds
        let addresses = (0..<count).map(Traffic.address)
        guard addresses.allSatisfy(AddressNetwork.isAddress), Set(addresses).count == count else {
            report("the addresses of the strangers are not distinct addresses")
            return false
        }
        // The first logins warm up both programs.
        _ = await OpenLoop.offer(FloodServer.rate * FloodServer.warmUp, at: FloodServer.rate) {
            await traffic.login($0)
        }
        let start = FloodServer.rate * FloodServer.warmUp
        report("logins alone, \(seconds) s")
        let alone = await OpenLoop.offer(count, at: FloodServer.rate) { await traffic.login(start + $0) }
        report("logins beside strangers, \(seconds) s")
        async let strangers = OpenLoop.offer(count, at: FloodServer.rate) { await traffic.strangeExchange($0) }
        async let honest = activations(on: server, traffic: traffic, seconds: seconds)
        let beside = await OpenLoop.offer(count, at: FloodServer.rate) { await traffic.login(start + count + $0) }
        let (exchanges, activated) = (await strangers, try await honest)
        print("| offered a second: \(FloodServer.rate) of each | done a second | median ms | 99 % ms | failed |")
        print("| --- | --- | --- | --- | --- |")
        print(alone.row("logins alone"))
        print(beside.row("logins beside strangers"))
        print(exchanges.row("exchanges of strangers"))
        let ratio = beside.rate / alone.rate
        let answered = exchanges.rate / Double(FloodServer.rate)
        print("\((answered * 1_000).rounded() / 10) % of the exchanges were answered in time (goal: 99 % or more)")
        print("logins keep \((ratio * 1_000).rounded() / 10) % of their rate (goal: 90 % or more)")
        for (number, outcome) in activated.enumerated() { print("honest activation \(number + 1): \(outcome)") }
        return ratio >= 0.9 && answered >= 0.99
            && activated.allSatisfy { $0.hasPrefix("succeeded") }
    }

    /// Activates a device at a quarter, at half and at three quarters of the flood.
    private static func activations(
        on server: ServedPlatform, traffic: Traffic, seconds: Int
    ) async throws -> [String] {
        var outcomes: [String] = []
        for quarter in 1...3 {
            try await Task.sleep(for: .milliseconds(250 * seconds))
            let user = "honest\(quarter)"
            let start = ContinuousClock.now
            do {
                let password = try await traffic.register(user)
                let orchestrator = try await Orchestrator(
                    configuration: .testing(), transport: HTTPTransport(endpoint: server.url),
                    providers: [ScriptedUser(password: "482915")], store: MemoryStore())
                _ = try await orchestrator.user(user).activate(with: password)
                outcomes.append("succeeded in \(start.duration(to: .now).milliseconds.rounded()) ms")
            } catch {
                outcomes.append("failed: \(error)")
            }
        }
        return outcomes
    }
}

/// Shows progress beside the table.
private func report(_ text: String) {
    FileHandle.standardError.write(Data("activation-flood: \(text)\n".utf8))
}

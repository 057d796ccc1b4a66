import Orchestration
import OrchestrationTesting
import Synchronization
import Testing
import TrustedIdentity

/// The server of a robot account in the article "Approve logins and payments".
@Suite(.timeLimit(.minutes(20))) struct RobotExampleTests {
    private let platform: TestPlatform
    private let device: TestDevice

    init() async throws {
        platform = try await TestPlatform()
        device = try TestDevice(seed: 1, time: platform.time)
    }

    /// Starts the server, which activates its device at the first start.
    private func robot(password: String) async throws -> UserHandle {
        let provider = RobotPassword { SecretBytes(copying: password.utf8) }
        let robot = try await device.orchestrator(transport: platform.transport, user: provider).user("robot")
        if try await !robot.isActivated { try await robot.activate(with: platform.register("robot")) }
        return robot
    }

    @Test func `a robot approves what its server has ordered, and rejects everything else`() async throws {
        let robot = try await robot(password: "482915")
        let orders: Set<[DisplayField]> = [
            [.amount(try Amount("250.00")), .currency(try Currency("EUR")), .creditor("Power and Light")]
        ]
        let ordered = try await platform.requestPayment("robot", "250.00", to: "Power and Light")
        platform.time.advance(seconds: 1)
        let other = try await platform.requestPayment("robot", "251.00", to: "Power and Light")
        platform.time.advance(seconds: 1)
        let login = try await platform.requestLogin("robot")
        let (lines, report) = AsyncStream.makeStream(of: String.self)
        let server = Task { try await answer(for: robot, orders: orders) { report.yield($0) } }
        var shown: [String] = []
        for await line in lines {
            shown.append(line)
            if shown.count == 3 { break }
        }
        #expect(shown[0].hasSuffix(": approved"))
        #expect(shown[1...].allSatisfy { $0.hasSuffix(": rejected (wrongData)") }, "\(shown)")
        #expect(try await platform.approval(ordered).status == .accepted)
        #expect(try await platform.approval(other).declineReason == .wrongData)
        #expect(try await platform.approval(login).declineReason == .wrongData)
        server.cancel()
        await #expect(throws: CancellationError.self) { try await server.value }
    }

    @Test func `the failure of one request does not stop the robot`() async throws {
        let first = Mutex<ApprovalReport?>(nil)
        let platform = platform
        // The site takes the first payment back while the robot reads its password.
        let provider = RobotPassword {
            if let report = first.withLock({ $0.take() }) { try await platform.cancelApproval(report) }
            return SecretBytes(copying: "482915".utf8)
        }
        let robot = try await device.orchestrator(transport: platform.transport, user: provider).user("robot")
        try await robot.activate(with: platform.register("robot"))
        let fields: [DisplayField] = [.amount(try Amount("250.00")), .currency(try Currency("EUR")), .creditor("Shop")]
        let canceled = try await platform.requestPayment("robot", "250.00", to: "Shop")
        platform.time.advance(seconds: 1)
        let second = try await platform.requestPayment("robot", "250.00", to: "Shop")
        first.withLock { $0 = canceled }
        let server = Task { try await answer(for: robot, orders: [fields]) { _ in } }
        #expect(try await platform.approval(second, waiting: .seconds(60)).status == .accepted)
        #expect(try await platform.approval(canceled).declineReason == .canceled)
        server.cancel()
        await #expect(throws: CancellationError.self) { try await server.value }
    }

    @Test func `a wrong password is tried once, and the request waits for the right one`() async throws {
        let robot = try await robot(password: "482915")
        let fields: [DisplayField] = [.amount(try Amount("250.00")), .currency(try Currency("EUR")), .creditor("Shop")]
        let payment = try await platform.requestPayment("robot", "250.00", to: "Shop")
        let confused = try await self.robot(password: "482916")
        await #expect(throws: OrchestrationError(.canceled)) {
            try await answer(for: confused, orders: [fields]) { Issue.record("\($0)") }
        }
        #expect(try await platform.approval(payment).status == .pending)
        let server = Task { try await answer(for: robot, orders: [fields]) { _ in } }
        #expect(try await platform.approval(payment, waiting: .seconds(60)).status == .accepted)
        server.cancel()
        await #expect(throws: CancellationError.self) { try await server.value }
    }
}

import Orchestration

// The server in the article "Approve logins and payments".

/// The password of a robot account, from the place where its server keeps secrets.
struct RobotPassword: PasswordProvider {
    let read: @Sendable () async throws -> SecretBytes

    func availability() async -> Availability { .available }

    func authenticate(_ prompt: Prompt) async throws -> UserInput {
        // A wrong password is not tried again: the platform locks the device after five.
        guard prompt.rejection == nil else { throw UserAuthenticationError.aborted }
        return UserInput(try await read())
    }
}

/// Approves the payments that the server has ordered, and rejects all other requests, until the task is canceled.
func answer(for robot: UserHandle, orders: Set<[DisplayField]>, report: (String) -> Void) async throws {
    for try await request in robot.approvalRequests() {
        do {
            let isOrdered = request.digits == 0 && orders.contains(request.display.fields)
            let answer = try await isOrdered ? request.approve() : request.reject(.wrongData)
            report("\(request.id): \(answer)")
        } catch let error as OrchestrationError where error.code != .canceled {
            // The failure of one request. A failure of all of them ends the sequence.
            report("\(request.id): \(error)")
        }
    }
    try Task.checkCancellation()
}

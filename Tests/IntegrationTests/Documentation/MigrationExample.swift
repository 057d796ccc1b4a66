import Orchestration

/// The first block of the article "Migrating from a callback SDK".
func activate(
    _ user: String, orchestrator: Orchestrator, activationPassword: String, texts: PromptCatalog, show: (String) -> Void
) async throws {
    for try await event in orchestrator.activate(user, with: activationPassword) {
        switch event {
        case .stepCompleted(let step): show("\(step)")
        case .inputRejected(let rejection): show(texts.text(for: rejection))
        case .succeeded: show("activated")
        case .aborted(let error), .outdated(let error): show(error.userMessage(in: texts))
        default: break
        }
    }
    try Task.checkCancellation()
}

/// The second block of the article "Migrating from a callback SDK".
func carryCommands(
    of relay: RelayTransport, by send: @escaping @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand
) -> Task<Void, Never> {
    let carrier = Task {
        for await exchange in relay.exchanges {
            do { exchange.reply(try await send(exchange.command)) } catch { exchange.fail(error) }
        }
    }
    return carrier
}

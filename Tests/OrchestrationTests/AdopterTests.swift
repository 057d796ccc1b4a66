// Only what an adopter imports: this file compiles when every name that the SDK's API needs is re-exported.
import Orchestration

/// A transport as an adopter writes one.
private struct AdoptersTransport: Transport {
    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        try OrchestrationCommand(bytes: command.bytes)
    }
}

/// A provider as an adopter writes one.
private struct AdoptersProvider: PasswordProvider {
    func availability() async -> Availability { .available }

    func authenticate(_ prompt: Prompt) async throws -> UserInput {
        UserInput(SecretBytes(copying: prompt.text.utf8))
    }
}

/// The fields of an approval request as an app shows them.
private func shown(_ display: DisplayData) -> [String] {
    display.fields.map { field in
        switch field {
        case .text(let text), .creditor(let text), .remittance(let text), .requester(let text), .place(let text): text
        case .field(let label, let value): label + value
        case .amount(let amount): amount.text
        case .currency(let currency): currency.code
        case .creditorAccount(let account): account.text
        case .time(let time): "\(time.millisecondsSinceEpoch)"
        case .unknown(let field): (field.label ?? "") + (field.value ?? "")
        }
    }
}

/// A receipt as an app keeps and verifies it.
private func statement(of text: String, platformKeys: [UInt8]) throws(ReceiptError) -> String {
    let receipt: VerifiedReceipt = try Receipt(text: text).verify(with: PublishedKeys(pages: [platformKeys]))
    let principal: ApprovalPrincipal = receipt.principal
    let fallback = receipt.fallback?.description ?? ""
    let reason: RejectionReason? =
        switch receipt.decision {
        case .approved: nil
        case .rejected(let reason): reason
        }
    return "\(principal.name)\(receipt.outcome)\(receipt.kind)\(reason?.description ?? "")\(fallback)"
}

/// Everything else that the API makes an adopter name.
private func names(_ account: AccountName, _ time: any TimeSource, _ random: any RandomSource) -> [Any] {
    let moment: Timestamp = SystemTimeSource().now()
    let failure = OrchestrationError(.transport)
    let recovery: OrchestrationError.Recovery = failure.recovery
    let notice: RefusalNotice? = failure.notice
    let location: SourceLocation = failure.location
    return [
        account, SystemRandomSource(), moment, recovery, notice as Any, location, AdoptersTransport(),
        AdoptersProvider(),
    ]
}

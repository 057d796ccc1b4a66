import Foundation
import Orchestration

/// The blocks of the article "Codes and signatures".
func makeCodes(_ orchestrator: Orchestrator, challenge: String, contract: URL) async throws {
    let answer = try await orchestrator.user("alice").oneTimePassword(application: .app3, challenge: challenge)
    print(answer.oneTimePassword)
    let signature = try await orchestrator.user("alice").sign([
        DataField(label: "Amount", value: "10.00 EUR"), DataField(label: "To", value: "Zoë"),
    ])
    print(signature.signature)
    let sealed = try await orchestrator.user("alice").seal(.file(at: contract))
    print(sealed.name ?? "", sealed.digest, sealed.seal)
    let confirmed = try await orchestrator.user("alice").sealOnline(.text("I agree to the terms of 2027."))
    print(confirmed.receipt.text)
}

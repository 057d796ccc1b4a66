import Orchestration

extension Story {
    /// Alice signs a payment on a device without a network, and types the signature into the site.
    func signLocally() async throws {
        alice.willType(alice.password)
        let fields = [DataField(label: "Amount", value: "10.00 EUR"), DataField(label: "To", value: "Zoë")]
        let made = try await device.orchestrator.user(alice.name).sign(fields)
        narrator.say(
            "Without a network, the device signs two fields that she has typed: \(made.signature).",
            see: "Sources/Orchestration/Codes/LocalCodeFlow.swift")
        narrator.show(fields.map { ($0.label ?? "", $0.value) })
        let payment = try await site.validate(alice.name, fields: fields, signature: made.signature)
        narrator.say(
            "She types the signature into the site. The platform's decision: \(payment.status).",
            see: "Sources/TrustedIdentity/Login/LocalTransactions/Platform+LocalTransactions.swift")
        try narrator.check("signature of a payment", payment.status, is: "accepted")
        let changed = [DataField(label: "Amount", value: "99.00 EUR"), fields[1]]
        let other = try await site.validate(alice.name, fields: changed, signature: made.signature)
        try narrator.check("the same signature for 99.00 EUR", other.status, is: "failed")
    }
}

import OrchestrationProtocol
import Primitives
import Testing

@testable import Orchestration

/// The text, the recovery and the parts of an error.
@Suite struct OrchestrationErrorTests {
    @Test(arguments: OrchestrationError.Code.all)
    func `every code has a complete text in both languages and a recovery`(code: OrchestrationError.Code) {
        #expect(PromptText.all.contains(code.text))
        let error = OrchestrationError(code)
        let texts = [error.userMessage(), error.userMessage(in: .german)]
        #expect(texts[0] != texts[1])
        for text in texts { #expect(text.count > 5 && !text.contains("{") && !text.contains("}")) }
        switch error.recovery {
        case .tryAgain, .wait, .activateAgain, .unlock, .contact, .updateApp, .nothing:
            #expect(code.text != .fault || code == .internal)
        case .faultOfTheApp: #expect(code.text == .fault)
        }
    }

    @Test func `a fault of the app names the number of its code`() {
        #expect(OrchestrationError(.consumedTwice).userMessage().contains("(number 403)"))
        #expect(OrchestrationError(.internal).userMessage().contains("(number 902)"))
    }

    @Test func `the two expirations ask for different things`() {
        #expect(OrchestrationError(.exchangeExpired).userMessage().contains("the same activation password"))
        #expect(OrchestrationError(.exchangeExpired).recovery == .tryAgain)
        #expect(OrchestrationError(.activationExpired).userMessage().contains("a new activation password"))
        #expect(OrchestrationError(.activationExpired).recovery == .activateAgain)
    }

    @Test func `an app replaces a text`() {
        let catalog = PromptCatalog([.deviceRevoked: "Gesperrt"])
        #expect(OrchestrationError(.revoked).userMessage(in: catalog) == "Gesperrt")
        #expect(OrchestrationError(.userLocked).userMessage(in: catalog) == PromptText.deviceLocked.defaultText)
    }

    private static let refusals: [(RefusalCode, OrchestrationError.Code)] = [
        (.wrongPassword, .refused), (.locked, .userLocked),
        (.ratchetOutdated, .cloneSuspected), (.expired, .refused), (.revoked, .revoked),
        (.pendingExpired, .activationExpired), (.cloneSuspected, .cloneSuspected), (.wrongReceipt, .refused),
        (.malformed, .refused), (.generationUnknown, .refused), (.ratchetUnknown, .refused),
        (.rateLimited, .rateLimited), (.notPermitted, .refused), (.suspended, .suspended), (.ratchetBehind, .refused),
        (.keysOutdated, .refused), (.approvalExpired, .approvalExpired), (.approvalAnswered, .approvalAnswered),
        (.approvalReplaced, .approvalReplaced), (.approvalCanceled, .approvalCanceled),
        (.approvalUnknown, .approvalUnknown), (.wrongNumber, .wrongNumber), (.methodRefused, .methodRefused),
        (.generationOutdated, .cloneSuspected), (.methodUnknown, .refused), (.deviceDataUnknown, .refused),
        (.unlockCodeRefused, .unlockCodeRefused),
    ]

    @Test(arguments: refusals)
    func `each refusal of the platform has a code, and keeps its number`(
        refusal: RefusalCode, code: OrchestrationError.Code
    ) throws {
        let error = ChannelRefusal(Refusal(refusal)).error
        #expect(error.code == code && error.refusalNumber == refusal.rawValue)
        #expect(error.notice == nil && error.retryAfter == nil && error.underlying == nil)
        guard case .outdated(let failure) = try #require(ChannelRefusal(Refusal(refusal)).end.first) else {
            #expect(!OrchestrationError.Code.outdated.contains(code))
            return
        }
        #expect(OrchestrationError.Code.outdated.contains(failure.code))
    }

    @Test func `every number of the protocol's list is known, and the next ones are not`() {
        for number in UInt64(1)...27 {
            #expect(OrchestrationError.Code(RefusalCode(rawValue: number)) != .refusalUnknown, "\(number)")
        }
        for number in [0, 28, 99, .max] as [UInt64] {
            let error = ChannelRefusal(Refusal(RefusalCode(rawValue: number))).error
            #expect(error.code == .refusalUnknown && error.recovery == .updateApp && error.refusalNumber == number)
        }
        let error = ChannelRefusal(Refusal(RefusalCode(rawValue: 99))).error
        #expect(error.userMessage().contains("(number 99)") && error.userMessage().hasSuffix("Please update the app."))
        let malformed = ChannelRefusal(Refusal(.malformed)).error
        #expect(malformed.userMessage() == "The request was refused (number 9)." && malformed.recovery == .contact)
    }

    @Test func `the notice and the wait of a refusal are in its error`() throws {
        let notice = try RefusalNotice(text: "Sold out", payload: [1])
        let canceled = ChannelRefusal(Refusal(.approvalCanceled), notice: notice)
        #expect(canceled.error.notice == notice)
        #expect(canceled.end.first?.failure?.notice == notice)
        #expect(!canceled.error.userMessage().contains("Sold out"))
        let limited = ChannelRefusal(Refusal(.rateLimited, retryAfter: 1_500)).error
        #expect(limited.retryAfter == .milliseconds(1_500))
        #expect(limited.recovery == .wait(.milliseconds(1_500)))
        #expect(limited.userMessage() == "Too many requests. Please try again in 2 s.")
        let unnamed = ChannelRefusal(Refusal(.rateLimited)).error
        #expect(unnamed.recovery == .wait(nil))
        #expect(unnamed.userMessage() == "Too many requests. Please try again later.")
    }

    @Test func `a refused unlock code says how many tries are left, and the last wrong password locks`() {
        let refused = ChannelRefusal(Refusal(.unlockCodeRefused, remainingTries: 4)).error
        #expect(refused.code == .unlockCodeRefused && refused.remainingTries == 4 && refused.recovery == .contact)
        #expect(refused.userMessage().hasSuffix("Tries left: 4."))
        #expect(refused.userMessage(in: .german).hasSuffix("Verbleibende Versuche: 4."))
        for tries in [nil, 0] as [UInt64?] {
            let last = ChannelRefusal(Refusal(.unlockCodeRefused, remainingTries: tries)).error
            #expect(last.userMessage() == PromptText.unlockCodeRefused.defaultText)
        }
        let locked = ChannelRefusal(Refusal(.wrongPassword, remainingTries: 0)).error
        #expect(locked.code == .userLocked && locked.recovery == .unlock)
        #expect(ChannelRefusal(Refusal(.wrongPassword, remainingTries: 1)).error.code == .refused)
    }

    @Test func `the text of a mistyped unlock code names the fault, and no activation password`() {
        for typed in ["2B7", "2B7-AAAU-AAAA-0", "2B7AAAAAAAAA"] {
            let error = #expect(throws: ActivationPasswordError.self) { _ = try ActivationPassword(parsing: typed) }
            let text = OrchestrationError(.unlockCodeMistyped, underlying: error).userMessage()
            #expect(text.contains("nlock code") && !text.contains("activation"))
        }
    }

    @Test func `a wait of any length has a text`() {
        for milliseconds in [0, 1, .max] as [UInt64] {
            let error = ChannelRefusal(Refusal(.rateLimited, retryAfter: milliseconds)).error
            #expect(error.userMessage().hasPrefix("Too many requests. Please try again in "))
        }
    }

    @Test func `an error that leaves the SDK keeps what the app threw`() {
        let error = OrchestrationError.leavingTheSDK(Foreign(number: 7)) as? OrchestrationError
        #expect(error?.code == .unexpected && error?.recovery == .faultOfTheApp)
        #expect((error?.underlying as? Foreign)?.number == 7)
        let own = OrchestrationError(.storeBusy, underlying: Foreign(number: 8))
        let passed = OrchestrationError.leavingTheSDK(own) as? OrchestrationError
        #expect(passed == own && (passed?.underlying as? Foreign)?.number == 8)
        let wire = OrchestrationError.leavingTheSDK(WireError(.trailingBytes)) as? OrchestrationError
        #expect(wire?.code == .internal && wire?.underlying is WireError)
        #expect(OrchestrationError.leavingTheSDK(CancellationError()) is CancellationError)
    }

    @Test func `only the codes of a subject that is over end a flow as outdated`() {
        for code in OrchestrationError.Code.all {
            let event = FlowEvent.ended(OrchestrationError(code))
            #expect(event.isTerminal && event.failure?.code == code)
            if case .outdated = event { #expect(OrchestrationError.Code.outdated.contains(code)) }
            if case .aborted = event { #expect(!OrchestrationError.Code.outdated.contains(code)) }
        }
        #expect(FlowEvent.warning(Warning(.notSynchronized)).failure == nil)
    }
}

private struct Foreign: Error { let number: Int }

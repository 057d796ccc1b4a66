// This file imports only what an adopter of the platform imports. It compiles when the platform re-exports every name
// that its API needs.
import Testing
import TrustedIdentity

/// A clock as an adopter writes one.
private struct AdoptersClock: TimeSource {
    func now() -> Timestamp { Timestamp(secondsSinceEpoch: 1_800_000_000) }
    func uptime() -> Duration { .zero }
    func sleep(for duration: Duration) async throws {}
}

/// A source of bytes as an adopter writes one.
private struct AdoptersBytes: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { SystemRandomSource().bytes(count) }
}

/// A payment as an application server writes one.
private func payment() throws -> DisplayData {
    try DisplayData([
        .amount(Amount("12.50")), .currency(Currency("EUR")), .creditor("Example"),
        .creditorAccount(IBAN("DE89370400440532013000")),
    ])
}

struct PlatformAdopterTests {
    @Test func `the data of a payment and a receipt can be checked with one import`() throws {
        #expect(try payment().fields.count == 4)
        do throws(DisplayDataError) {
            _ = try DisplayData([.text("")])
            Issue.record("an empty text was accepted")
        } catch {
            #expect(error.fieldName == "text" && error.index == 0)
        }
        do throws(DisplayDataError) {
            _ = try ApprovalPrincipal(id: "shop-1", name: "")
            Issue.record("an empty name was accepted")
        } catch {
            #expect(error.code == .empty && error.index == nil)
        }
        do throws(PaymentDataError) {
            _ = try Currency("XXX")
            Issue.record("a code for no currency was accepted")
        } catch {
            #expect(error.code == .unknownCurrency)
        }
        do throws(ReceiptError) {
            _ = try Receipt(bytes: [0x80]).verify(with: PublishedKeys(pages: [[]]))
            Issue.record("an empty receipt was accepted")
        } catch {
            #expect(error.code == .malformed && error.step == 1)
        }
    }

    @Test func `a platform can be used with one import`() async throws {
        let account: AccountName
        do throws(AccountNameError) {
            account = try AccountName(userID: "alice", domain: "master")
        } catch {
            Issue.record(error)
            return
        }
        let platform = try await Platform(
            database: SQLiteDatabase.inMemory(),
            masterKey: MasterKey(id: "m1", bytes: SecretBytes(copying: AdoptersBytes().bytes(32))),
            time: AdoptersClock(), random: AdoptersBytes())
        let receipt = try await platform.register(Registration(account: account))
        #expect(receipt.expiresAt > AdoptersClock().now())
        let command = try OrchestrationCommand(bytes: [0x81, 0x01])
        do {
            _ = try await platform.execute(command)
            Issue.record("a command without content was answered")
        } catch let error as PlatformError {
            #expect(error.blame == Blame.peer)
            #expect(error.location.line > 0)
        }
    }
}

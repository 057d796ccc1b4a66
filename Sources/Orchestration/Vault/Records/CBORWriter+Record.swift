internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

// The values of a user record.
extension CBORWriter {
    mutating func account(_ account: AccountName) {
        array(2)
        text(account.userID)
        text(account.domain)
    }

    mutating func state(_ state: UserRecord.State) {
        switch state {
        case .pending:
            array(1)
            unsigned(0)
        case .passwordProven(let hash):
            array(2)
            unsigned(1)
            bytes(hash)
        case .active:
            array(1)
            unsigned(2)
        case .locked(let reason):
            array(2)
            unsigned(3)
            text(reason.rawValue)
        }
    }

    mutating func serials(_ serials: [String]) {
        array(serials.count)
        for serial in serials { text(serial) }
    }

    mutating func key(_ key: SymmetricKey) {
        unsafe key.withUnsafeBytes { unsafe bytes($0) }
    }

    mutating func cost(_ cost: ScryptCost) {
        array(3)
        integer(Int64(cost.logarithm))
        integer(Int64(cost.blockSize))
        integer(Int64(cost.parallelism))
    }

    mutating func policy(_ policy: PINPolicy) {
        array(4)
        integer(Int64(policy.minimumLength))
        integer(Int64(policy.maximumLength))
        boolean(policy.digitsOnly)
        integer(Int64(policy.tries))
    }

    mutating func applications(_ applications: [CryptoApplication]) {
        array(applications.count)
        for application in applications {
            array(5)
            unsigned(UInt64(application.index.rawValue))
            unsigned(UInt64(application.kind.rawValue))
            integer(Int64(application.digits))
            integer(Int64(application.timeStepSeconds))
            boolean(application.hasHostCode)
        }
    }

    /// Writes the counters in the order of their encodings, which is that of indexes below 24.
    mutating func counters(_ counters: [UInt8: UInt64]) {
        map(counters.count)
        for (index, counter) in counters.sorted(by: { $0.key < $1.key }) {
            unsigned(UInt64(index))
            unsigned(counter)
        }
    }
}

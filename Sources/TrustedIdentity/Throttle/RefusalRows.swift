package import Primitives

extension StoreTransaction {
    /// Stores the rows that a refused code changes, where a name has none: its counts of failures, with zeros, and its
    /// number of entries in the log.
    ///
    /// A new row takes SQLite more time than a change of one that is there. Each account has these rows from its
    /// registration on, and the names that unknown accounts share have them from the first run of a ``Maintenance`` on,
    /// so that the time of a refusal shows neither whether an account exists nor whether it is the first one.
    ///
    /// The counts of static passwords have no rows before their first failure: hashing a password takes thousands of
    /// times as long.
    ///
    /// - Parameters:
    ///   - name: `user@domain`, normalized, or a name that unknown accounts share.
    ///   - now: The platform's time.
    package func insertRefusalRows(of name: String, now: Timestamp) throws {
        try ThrottleScope(account: name, kind: .code, hashedSource: "").insertMissing(in: self, now: now)
        try insertListing(.refusal, of: name)
    }
}

extension Platform {
    /// Stores the rows that a refused code of an unknown account changes, where there are none.
    ///
    /// They are stored in the order of their numbers, in transactions of as many rows as one of the sweep removes, and
    /// then the counts of a name that no refusal uses: they are there when all are.
    func insertSharedRows() async throws {
        let (now, count) = (time.now(), Decoys.throttleAccounts)
        // Databases of an earlier version have fewer rows of listings, and the name with the number `count`.
        let mark = Decoys.sharedName(count + 1)
        guard try await store.read({ try $0.throttles(of: mark).isEmpty }) else { return }
        let names = Self.sweepBatch / 2
        for first in stride(from: 0, to: count, by: names) {
            try Task.checkCancellation()
            try await writeAsPlatform { store in
                for number in first..<min(first + names, count) {
                    let name = Decoys.sharedName(number)
                    try ThrottleScope(account: name, kind: .code, hashedSource: "").insertMissing(in: store, now: now)
                    try store.insertListing(.refusal, of: name)
                }
            }
        }
        try await writeAsPlatform { store in
            try ThrottleScope(account: mark, kind: .code, hashedSource: "").insertMissing(in: store, now: now)
        }
    }
}

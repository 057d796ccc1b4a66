internal import CSQLite
internal import Synchronization

/// The write-ahead log of a database, and the rule by which its pages move into the database.
///
/// SQLite would move them within the commit that passes the limit, while the callers of that commit wait. The writer
/// does it after it has answered them, and ``SQLiteDatabase/maintain()`` does it for the rest.
final class WriteAheadLog: Sendable {
    /// The number of pages in the log from which the writer moves them: 4 MiB of pages of 4 KiB.
    static let limit = 1_000
    /// The maximum number of bytes that the file of the log keeps once its pages have moved: 64 MiB. During a long
    /// read, such as a backup, pages stay and the file grows.
    static let keptBytes = 64 << 20

    private let pages = Atomic(0)

    /// The number of pages that the log had after the latest commit.
    var pageCount: Int { pages.load(ordering: .relaxed) }

    /// Counts the pages of the log from now on, instead of the checkpoints of SQLite.
    ///
    /// - Parameter connection: The writing connection. The log must outlive it.
    func attach(to connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA journal_size_limit = \(Self.keptBytes)")
        // SAFETY: the store that owns the connection owns the log, too, and no commit comes after its end.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe connection.afterCommits(context) { context, _, _, pages in
            guard let context = unsafe context else { return SQLITE_OK }
            let log = unsafe Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
            log.pages.store(Int(pages), ordering: .relaxed)
            return SQLITE_OK
        }
    }

    /// Moves pages into the database, as far as no read needs the earlier ones. It waits for no read.
    ///
    /// - Parameter connection: The writing connection, outside of a transaction. SQLite before 3.51.3 can lose pages when
    ///   another connection does this.
    func checkpoint(_ connection: SQLiteConnection) throws {
        guard pageCount > 0 else { return }
        if try connection.checkpoint(.passive) { pages.store(0, ordering: .relaxed) }
    }
}

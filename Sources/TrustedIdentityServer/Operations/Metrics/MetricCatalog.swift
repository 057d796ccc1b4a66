internal import TrustedIdentity

/// The metrics of the platform and its servers, with their meanings. The article on running the platform lists them.
enum MetricCatalog {
    static let requests = "trusted_identity_http_requests_total"
    static let requestDuration = "trusted_identity_http_request_duration_seconds"
    static let droppedSeries = "trusted_identity_metrics_dropped_series_total"
    static let ready = "trusted_identity_ready"
    static let openStreams = "trusted_identity_streams_open"
    static let waitingEvents = "trusted_identity_events_waiting"
    static let waitingAuditEntries = "trusted_identity_audit_entries_waiting"
    static let waitingAuditAge = "trusted_identity_audit_waiting_seconds"
    static let waitingWrites = "trusted_identity_store_waiting_writes"
    static let freeBytes = "trusted_identity_store_free_bytes"
    static let databaseBytes = "trusted_identity_store_database_bytes"
    static let logBytes = "trusted_identity_store_log_bytes"

    /// The meaning of each metric by its name.
    static let help: [String: String] = events.merging(values) { first, _ in first }

    private static let events = Dictionary(
        uniqueKeysWithValues: PlatformMetrics.Event.allCases.map { ($0.rawValue, $0.help) })

    private static let values = [
        PlatformMetrics.lastMaintenance: "End of the latest run of the maintenance in seconds since 1970.",
        PlatformMetrics.maintenanceDuration: "Time of a run of the maintenance.",
        requests: "Answers of the REST API by route and status.",
        requestDuration: "Time from the head of a request to its answer by route and status.",
        droppedSeries: "Updates of series beyond the limit.",
        ready: "1 when every check of readiness passes, 0 otherwise.",
        openStreams: "Open streams of notifications.",
        waitingEvents: "Events that wait for the application server.",
        waitingAuditEntries: "Entries of the audit log without a place in its tree.",
        waitingAuditAge: "Age of the oldest entry of the audit log without a place in its tree.",
        waitingWrites: "Writes that wait for the next transaction of the store.",
        freeBytes: "Bytes that can still be written to the disk of the store.",
        databaseBytes: "Bytes of the database.",
        logBytes: "Bytes of the write-ahead log of the database.",
        "process_cpu_seconds_total": "Processor time of the process.",
        "process_start_time_seconds": "Start of the process in seconds since 1970.",
        "process_virtual_memory_bytes": "Virtual memory of the process.",
        "process_resident_memory_bytes": "Resident memory of the process.",
        "process_open_fds": "Open descriptors of the process.",
        "process_max_fds": "The maximum number of descriptors that the process may open.",
    ]
}

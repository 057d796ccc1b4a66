internal import CLibrary
internal import Foundation

/// The processor time, memory and descriptors of this process, under the names that Prometheus uses. Only Linux
/// provides them, in `/proc`.
enum ProcessMetrics {
    /// The current values that the system reports.
    static var values: [(name: String, value: Double)] {
        var values: [(name: String, value: Double)] = []
        func add(_ name: String, _ value: Double?) {
            if let value { values.append((name, value)) }
        }
        let fields = statFields
        let (ticks, page) = (Double(sysconf(CInt(_SC_CLK_TCK))), Double(sysconf(CInt(_SC_PAGESIZE))))
        if fields.count > 21 {
            add("process_cpu_seconds_total", (fields[11] + fields[12]) / ticks)
            add("process_start_time_seconds", bootTime.map { $0 + fields[19] / ticks })
            add("process_virtual_memory_bytes", fields[20])
            add("process_resident_memory_bytes", fields[21] * page)
        }
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        add("process_open_fds", descriptors.map { Double($0.count) })
        var limit = rlimit()
        if unsafe getrlimit(Self.descriptorLimit, &limit) == 0 { add("process_max_fds", Double(limit.rlim_cur)) }
        return values
    }

    /// The fields of `/proc/self/stat` from the third one on, as numbers. The second one is a name in parentheses.
    private static var statFields: [Double] {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return [] }
        return text[text.index(after: end)...].split(whereSeparator: \.isWhitespace).map { Double($0) ?? 0 }
    }

    private static var bootTime: Double? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
    }

    #if canImport(Glibc)
        private static let descriptorLimit = CInt(RLIMIT_NOFILE.rawValue)
    #else
        private static let descriptorLimit = RLIMIT_NOFILE
    #endif
}

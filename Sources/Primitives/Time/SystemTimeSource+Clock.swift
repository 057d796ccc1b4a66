#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension SystemTimeSource {
    /// Seconds and milliseconds since the Unix epoch, without Foundation.
    static func sinceEpoch() -> (seconds: Int64, milliseconds: Int64) {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return (Int64(time.tv_sec), Int64(time.tv_nsec) / 1_000_000)
    }

    /// Milliseconds since the machine was started, sleep included.
    static func sinceStart() -> Int64 {
        var time = timespec()
        #if canImport(Darwin)
            // Goes on while the machine sleeps; Linux has another clock for that.
            _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

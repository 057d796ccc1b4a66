/// The times of a measurement, in milliseconds.
struct Quantiles: Encodable {
    let count: Int
    let p50: Double
    let p99: Double
    let maximum: Double

    init(_ durations: [Duration]) {
        let sorted = durations.map { $0 / .milliseconds(1) }.sorted()
        func quantile(_ part: Double) -> Double {
            sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
        }
        count = sorted.count
        (p50, p99, maximum) = (quantile(0.5), quantile(0.99), quantile(1))
    }
}

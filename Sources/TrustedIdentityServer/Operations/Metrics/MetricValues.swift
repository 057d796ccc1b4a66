internal import Metrics
internal import Synchronization

/// The value of one series: a counter, a gauge or a histogram. All of them accept updates from any thread.
protocol MetricValue: AnyObject, Sendable {
    /// The kind of the metric, as the text form names it.
    static var kind: MetricKind { get }

    /// The samples of the series at this moment.
    var samples: [MetricSample] { get }
}

/// A kind of metric in the text form.
enum MetricKind: String, Sendable {
    case counter, gauge, histogram
}

/// One line of the text form, without the name of its metric.
struct MetricSample: Sendable {
    /// The suffix of the name, such as `_bucket`.
    var suffix = ""
    /// The upper bound of a bucket.
    var bound: String?
    var value: String
}

/// A number that only grows. It never overflows: it stays at its maximum value.
final class CounterValue: MetricValue, CounterHandler, Sendable {
    static let kind = MetricKind.counter
    private let total = Atomic<Int64>(0)

    var samples: [MetricSample] { [MetricSample(value: String(total.load(ordering: .relaxed)))] }

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        let (old, new) = total.wrappingAdd(amount, ordering: .relaxed)
        if new < old { total.store(.max, ordering: .relaxed) }
    }

    func reset() { total.store(0, ordering: .relaxed) }
}

/// A number that grows and shrinks.
final class GaugeValue: MetricValue, MeterHandler, RecorderHandler, Sendable {
    static let kind = MetricKind.gauge
    private let value = Mutex(0.0)

    var samples: [MetricSample] { [MetricSample(value: value.withLock(\.metricText))] }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
}

/// Durations in seconds, or other numbers, counted by buckets.
final class HistogramValue: MetricValue, TimerHandler, RecorderHandler, Sendable {
    static let kind = MetricKind.histogram

    /// The upper bounds of the buckets. A login takes milliseconds, and a call that waits for a user takes minutes.
    static let bounds = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

    private struct State {
        /// For each bound, the number of values up to the bound and above the previous one. The last number counts the
        /// values above the last bound.
        var counts = [UInt64](repeating: 0, count: HistogramValue.bounds.count + 1)
        var sum = 0.0
    }

    private let state = Mutex(State())

    var samples: [MetricSample] {
        let state = state.withLock { $0 }
        var (samples, total): ([MetricSample], UInt64) = ([], 0)
        for (index, count) in state.counts.enumerated() {
            total += count
            let bound = index < Self.bounds.count ? Self.bounds[index].metricText : "+Inf"
            samples.append(MetricSample(suffix: "_bucket", bound: bound, value: String(total)))
        }
        samples.append(MetricSample(suffix: "_sum", value: state.sum.metricText))
        samples.append(MetricSample(suffix: "_count", value: String(total)))
        return samples
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let index = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
        }
    }
}

extension Double {
    /// The number as the text form writes it: without a fraction if it has none.
    var metricText: String {
        isFinite && self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : isNaN ? "NaN" : finiteText
    }

    private var finiteText: String { isFinite ? description : self > 0 ? "+Inf" : "-Inf" }
}

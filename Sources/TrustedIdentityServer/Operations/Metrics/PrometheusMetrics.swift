package import Metrics
internal import Synchronization

/// The metrics of a process in the text form of Prometheus (version 0.0.4), as a backend of swift-metrics.
///
/// A label is the name of a metric, and its dimensions are the labels of a series. A timer is a histogram of seconds,
/// so its label ends in `_seconds`; a counter's label ends in `_total`.
///
/// The number of series has a limit, because a label with many values could otherwise fill the memory. Updates of a
/// series beyond the limit are lost, and `trusted_identity_metrics_dropped_series_total` counts them.
package final class PrometheusMetrics: MetricsFactory, Sendable {
    /// The maximum number of series.
    static let maximumSeries = 4_096

    /// The metrics of this process. The program makes it the backend of swift-metrics.
    package static let shared = PrometheusMetrics()

    private struct Metric {
        let kind: MetricKind
        var series: [String: any MetricValue] = [:]
    }

    /// A label with its dimensions, as a program of the process names a series.
    private struct SeriesName: Hashable {
        let label: String
        let dimensions: [String]
    }

    private struct State {
        var metrics: [String: Metric] = [:]
        /// The values of the series, by the names under which they were created. A name is converted to the text form
        /// once.
        var known: [SeriesName: any MetricValue] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let dropped = CounterValue()

    package init() {}

    /// Makes ``shared`` the backend of swift-metrics. A process does it once.
    package static func bootstrap() { MetricsSystem.bootstrap(shared) }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        value(label, dimensions) { CounterValue() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        value(label, dimensions) { GaugeValue() }
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return value(label, dimensions) { GaugeValue() } as GaugeValue }
        return value(label, dimensions) { HistogramValue() } as HistogramValue
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        value(label, dimensions) { HistogramValue() }
    }

    // A series is kept, because Prometheus interprets a counter that begins again as a reset.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Returns the value of a series, which is created at its first use. A label that has another kind, and a series
    /// beyond the limit, get a value that is not shown.
    private func value<Value: MetricValue>(
        _ label: String, _ dimensions: [(String, String)], _ make: () -> Value
    ) -> Value {
        let series = SeriesName(label: label, dimensions: dimensions.flatMap { [$0.0, $0.1] })
        if let value = state.withLock({ $0.known[series] as? Value }) { return value }
        let name = PrometheusText.name(label)
        let labels = PrometheusText.labels(dimensions)
        return state.withLock { state -> Value in
            var metric = state.metrics[name] ?? Metric(kind: Value.kind)
            if let value = metric.series[labels] as? Value {
                // Names that differ can have one text form. Their number has no separate limit.
                if state.known.count < Self.maximumSeries { state.known[series] = value }
                return value
            }
            let value = make()
            guard metric.kind == Value.kind, metric.series[labels] == nil, state.count < Self.maximumSeries else {
                dropped.increment(by: 1)
                return value
            }
            metric.series[labels] = value
            state.metrics[name] = metric
            if state.known.count < Self.maximumSeries { state.known[series] = value }
            state.count += 1
            return value
        }
    }

    /// The text form of all series, by name and labels.
    ///
    /// - Parameter gauges: Values of this moment, by the names of their metrics.
    package func text(with gauges: [(name: String, value: Double)] = []) -> String {
        var families = state.withLock(\.metrics).map { name, metric in
            PrometheusText.Family(
                name: name, kind: metric.kind,
                series: metric.series.map { PrometheusText.Series(labels: $0.key, samples: $0.value.samples) })
        }
        families.append(
            .init(MetricCatalog.droppedSeries, .counter, dropped.samples))
        for gauge in gauges {
            let kind: MetricKind = gauge.name.hasSuffix("_total") ? .counter : .gauge
            families.append(.init(gauge.name, kind, [MetricSample(value: gauge.value.metricText)]))
        }
        return PrometheusText.text(of: families)
    }
}

import Foundation
import Metrics
import Testing

@testable import TrustedIdentity
@testable import TrustedIdentityServer

/// The text form of metrics, read by another reader.
@Suite struct PrometheusMetricsTests {
    @Test func `counters, gauges and timers have the values that were recorded`() throws {
        let metrics = PrometheusMetrics()
        for amount in [1, 2, -5, 0] as [Int64] {
            metrics.makeCounter(label: "logins_total", dimensions: [("b", "2"), ("a", "1")]).increment(by: amount)
        }
        metrics.makeCounter(label: "logins_total", dimensions: [("a", "2")]).increment(by: .max)
        metrics.makeCounter(label: "logins_total", dimensions: [("a", "2")]).increment(by: 1)
        let meter = metrics.makeMeter(label: "open", dimensions: [])
        meter.set(7 as Int64)
        meter.increment(by: 0.5)
        meter.decrement(by: 8)
        metrics.makeRecorder(label: "size", dimensions: [], aggregate: false).record(-3 as Int64)
        let timer = metrics.makeTimer(label: "wait_seconds", dimensions: [("route", "/")])
        for nanoseconds in [999_999, 1_000_000, 1_000_001, 300_000_000_000, 301_000_000_000] as [Int64] {
            timer.recordNanoseconds(nanoseconds)
        }
        let text = try MetricsText(metrics.text(with: [("free_bytes", 1e18), ("cpu_seconds_total", 0.25)]))
        #expect(text.value("logins_total", ["a": "1", "b": "2"]) == 3)
        #expect(text.value("logins_total", ["a": "2"]) == Double(Int64.max))
        #expect(text.value("open") == -0.5 && text.value("size") == -3)
        #expect(text.value("free_bytes") == 1e18 && text.value("cpu_seconds_total") == 0.25)
        let types = ["logins_total", "open", "size", "wait_seconds", "cpu_seconds_total"].map { text.types[$0] }
        #expect(types == ["counter", "gauge", "gauge", "histogram", "counter"])
        let buckets = ["0.001", "0.0025", "60", "300", "+Inf"].map { text.value("wait_seconds_bucket", ["le": $0]) }
        #expect(buckets == [2, 3, 3, 4, 5])
        #expect(text.value("wait_seconds_count") == 5)
        #expect(abs((text.value("wait_seconds_sum") ?? 0) - 601.003) < 0.000_1)
    }

    @Test func `names and values of any form are written so that they can be read`() throws {
        let metrics = PrometheusMetrics()
        let value = "a \"quoted\" \\ and\nbroken, {value}=é"
        metrics.makeCounter(label: "9 läbel-x", dimensions: [("le gal", value), ("x:y", "")]).increment(by: 1)
        metrics.makeCounter(label: "", dimensions: []).increment(by: 1)
        let text = try MetricsText(metrics.text())
        #expect(text.value("_9_l_bel_x", ["le_gal": value, "x_y": ""]) == 1)
        #expect(text.value("_") == 1)
    }

    @Test func `a label of another kind and a series beyond the limit are counted, and not shown`() throws {
        let metrics = PrometheusMetrics()
        metrics.makeCounter(label: "taken", dimensions: []).increment(by: 1)
        metrics.makeTimer(label: "taken", dimensions: []).recordNanoseconds(1)
        for number in 0..<PrometheusMetrics.maximumSeries {
            metrics.makeCounter(label: "many", dimensions: [("n", "\(number)")]).increment(by: 1)
        }
        let text = try MetricsText(metrics.text())
        #expect(text.types["taken"] == "counter" && text.value("taken") == 1)
        #expect(text.samples.filter { $0.name == "many" }.count == PrometheusMetrics.maximumSeries - 1)
        #expect(text.value(MetricCatalog.droppedSeries) == 2)
    }

    @Test func `no update is lost between threads`() async throws {
        let metrics = PrometheusMetrics()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 {
                        metrics.makeCounter(label: "count", dimensions: []).increment(by: 1)
                        metrics.makeTimer(label: "time", dimensions: [("task", "\(task % 2)")]).recordNanoseconds(1)
                        metrics.makeMeter(label: "level", dimensions: []).increment(by: 1)
                    }
                }
            }
        }
        let text = try MetricsText(metrics.text())
        #expect(text.value("count") == 8_000 && text.value("level") == 8_000)
        #expect(text.value("time_count", ["task": "0"]) == 4_000 && text.value("time_count", ["task": "1"]) == 4_000)
    }

    @Test(
        arguments: [
            "", "a 1", "a{} 1\n", "a 1 \n", "a{b=c} 1\n", "# TYPE a counter\nb 1\n", "# TYPE a gauge\na one\n",
        ])
    func `the reader refuses what is not the form`(text: String) {
        #expect(throws: MetricsText.Problem.self) { try MetricsText(text) }
    }

    @Test func `the article lists each metric once, with its meaning`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let article = root.appending(path: "DocC/Orchestration.docc/Platform/RunningThePlatform.md")
        let rows = try String(contentsOf: article, encoding: .utf8).matches(of: /\n\| `([a-z_]+)` \| ([^|]+) \|(?=\n)/)
            .filter { $0.1.hasPrefix("trusted_identity_") || $0.1.hasPrefix("process_") }
        let listed = rows.map { "\($0.1): \($0.2)" }.sorted()
        #expect(listed == MetricCatalog.help.map { "\($0.key): \($0.value)" }.sorted())
    }
}

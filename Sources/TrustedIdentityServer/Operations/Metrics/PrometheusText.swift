/// The text form of Prometheus, version 0.0.4.
enum PrometheusText {
    /// The media type of the form.
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// All series of one metric.
    struct Family {
        let name: String
        let kind: MetricKind
        let series: [Series]

        init(name: String, kind: MetricKind, series: [Series]) {
            self.name = name
            self.kind = kind
            self.series = series
        }

        /// Creates a metric with one series that has no labels.
        init(_ name: String, _ kind: MetricKind, _ samples: [MetricSample]) {
            self.init(name: name, kind: kind, series: [Series(labels: "", samples: samples)])
        }
    }

    /// The values of one combination of labels.
    struct Series {
        /// The labels in the text form, without braces.
        let labels: String
        let samples: [MetricSample]
    }

    /// Returns the text of metrics, in the order of their names.
    static func text(of families: [Family]) -> String {
        var text = ""
        for family in families.sorted(by: { $0.name < $1.name }) {
            if let help = MetricCatalog.help[family.name] {
                text += "# HELP \(family.name) \(escaped(help, quotes: false))\n"
            }
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for series in family.series.sorted(by: { $0.labels < $1.labels }) {
                for sample in series.samples {
                    let bound = sample.bound.map { "le=\"\($0)\"" }
                    let labels = [series.labels, bound ?? ""].filter { !$0.isEmpty }.joined(separator: ",")
                    text += family.name + sample.suffix + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value)\n"
                }
            }
        }
        return text
    }

    /// Returns a label of swift-metrics as a name: letters, digits, `_` and `:`, and no digit at the beginning.
    static func name(_ label: String) -> String {
        let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") ? $0 : "_" })
        return name.first.map { ("0"..."9").contains($0) } ?? true ? "_" + name : name
    }

    /// Returns dimensions as labels, in the order of their names. A name that occurs twice gets its last value.
    static func labels(_ dimensions: [(String, String)]) -> String {
        let values = Dictionary(dimensions.map { (name($0.0).replacing(":", with: "_"), $0.1) }) { $1 }
        return values.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(escaped($0.value, quotes: true))\"" }
            .joined(separator: ",")
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? escaped.replacing("\"", with: "\\\"") : escaped
    }
}

import Testing

/// A strict reader of the text form of Prometheus, version 0.0.4:
/// https://prometheus.io/docs/instrumenting/exposition_formats/.
struct MetricsText {
    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    private(set) var types: [String: String] = [:]
    private(set) var help: [String: String] = [:]
    private(set) var samples: [Sample] = []

    struct Problem: Error { let line: String }

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Problem(line: "the last line does not end") }
        var ended: Set<String> = []
        var family = ""
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)/) {
                guard help.updateValue(String(match.2), forKey: String(match.1)) == nil else {
                    throw Problem(line: "\(line)")
                }
            } else if let match = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/) {
                // All lines of a metric are one group.
                guard types.updateValue(String(match.2), forKey: String(match.1)) == nil else {
                    throw Problem(line: "\(line)")
                }
                ended.insert(family)
                family = String(match.1)
            } else {
                let sample = try Self.sample(line)
                let suffixes = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                guard suffixes.contains(where: { sample.name == family + $0 }), !ended.contains(family) else {
                    throw Problem(line: "\(line)")
                }
                samples.append(sample)
            }
        }
        let series = samples.map { "\($0.name) \($0.labels.sorted { $0.key < $1.key })" }
        guard Set(series).count == series.count else { throw Problem(line: "a series comes twice") }
        try checkHistograms()
    }

    /// Returns the value of the only series with a name and some of its labels.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let found = samples.filter { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }
        return found.count == 1 ? found[0].value : nil
    }

    private static func sample(_ line: Substring) throws -> Sample {
        guard
            let match = line.wholeMatch(
                of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.+)\})? (NaN|[+-]Inf|-?[0-9.]+(?:e[+-]?[0-9]+)?)/),
            let value = Double(match.3.replacing("Inf", with: "inf"))
        else { throw Problem(line: "\(line)") }
        var labels: [String: String] = [:]
        var rest = match.2 ?? ""
        while !rest.isEmpty {
            guard let label = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,(?=.)|$)/)
            else {
                throw Problem(line: "\(line)")
            }
            labels[String(label.1)] = unescaped(label.2)
            rest = rest[label.range.upperBound...]
        }
        return Sample(name: String(match.1), labels: labels, value: value)
    }

    private static func unescaped(_ text: Substring) -> String {
        var (result, isEscaped) = ("", false)
        for character in text {
            if isEscaped {
                result.append(character == "n" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// Requires that the buckets of each histogram grow up to its count.
    private func checkHistograms() throws {
        for family in types.filter({ $0.value == "histogram" }).keys {
            let buckets = Dictionary(grouping: samples.filter { $0.name == family + "_bucket" }) { sample in
                sample.labels.filter { $0.key != "le" }
            }
            for (labels, series) in buckets {
                let bounds = series.map { Double($0.labels["le"]?.replacing("Inf", with: "inf") ?? "") ?? .nan }
                guard zip(bounds, bounds.dropFirst()).allSatisfy(<), bounds.last == .infinity,
                    zip(series, series.dropFirst()).allSatisfy({ $0.value <= $1.value }),
                    series.last?.value == value(family + "_count", labels), value(family + "_sum", labels) != nil
                else { throw Problem(line: family) }
            }
        }
    }
}

import Foundation

/// The number of people who chose each PIN: Tests/Vectors/pins.
struct PINTable {
    let counts: [String: Int]

    init(digits: Int) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Vectors/pins/hibp_\(digits)digit_counts.txt")
        var counts: [String: Int] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: " : ")
            guard parts.count == 2, let count = Int(parts[1]) else { continue }
            counts[String(parts[0])] = count
        }
        self.counts = counts
    }

    var total: Int { counts.values.reduce(0, +) }
}

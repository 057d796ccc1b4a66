/// The search for the intended word.
package enum SimilarWord {
    /// Returns the advice for an unknown word: the similar known word, or all known words.
    package static func suggestion(for word: String, in known: [String]) -> String {
        nearest(to: word, in: known).map { "did you mean '\($0)'?" } ?? "use one of " + known.joined(separator: ", ")
    }

    /// Returns the known word that is similar to an unknown one; `nil` if there is none.
    package static func nearest(to word: String, in known: [String]) -> String? {
        let near = known.map { (word: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        guard let near, near.distance <= max(1, min(2, word.utf8.count / 2)) else { return nil }
        return near.word
    }

    /// Returns the number of characters to insert, remove, replace or swap with the next one. A word of more than 128
    /// bytes is not similar to any word, which bounds the work.
    private static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first.utf8), Array(second.utf8))
        guard first.count <= 128, second.count <= 128 else { return .max }
        var earlier: [Int] = []
        var row = Array(0...second.count)
        for (index, byte) in first.enumerated() {
            var next = [index + 1]
            for column in second.indices {
                let replaced = row[column] + (byte == second[column] ? 0 : 1)
                var least = min(replaced, row[column + 1] + 1, next[column] + 1)
                if index > 0, column > 0, byte == second[column - 1], first[index - 1] == second[column] {
                    least = min(least, earlier[column - 1] + 1)
                }
                next.append(least)
            }
            (earlier, row) = (row, next)
        }
        return row[second.count]
    }
}

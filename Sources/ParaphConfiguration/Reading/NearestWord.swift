/// Finds the word that a mistyped one was probably meant to be.
package enum NearestWord {
    /// Returns the word that is nearest; nil when none is near: it is not the beginning of one, and more than a quarter
    /// of its letters would have to change.
    package static func to(_ word: String, among words: some Sequence<String>) -> String? {
        guard word.utf8.count <= 64 else { return nil }
        let typed = normalized(word)
        var best: (word: String, distance: Int)?
        for candidate in words {
            let meant = normalized(candidate)
            let distance = editDistance(typed, meant)
            let isBeginning =
                min(typed.count, meant.count) >= 3 && (typed.starts(with: meant) || meant.starts(with: typed))
            guard isBeginning || distance <= max(1, max(typed.count, meant.count) / 4) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.word
    }

    /// Case and the choice of `-` or `_` are slips, not edits.
    private static func normalized(_ word: String) -> [UInt8] {
        word.lowercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
    }

    /// Insertions, deletions, replacements, and exchanges of neighbours.
    private static func editDistance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var beforeLast = [Int](repeating: 0, count: other.count + 1)
        var last = Array(0...other.count)
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                var least = min(last[j] + (one[i] == other[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    least = min(least, beforeLast[j - 1] + 1)
                }
                row.append(least)
            }
            (beforeLast, last) = (last, row)
        }
        return last[other.count]
    }
}

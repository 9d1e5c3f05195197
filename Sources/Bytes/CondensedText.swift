/// Prose of somebody else's making, safe to print and to log: each run of white space becomes one space, other
/// characters that are not printable are left out, and what is longer than `limit` Unicode scalars is cut and marked.
package func condensed(_ text: some StringProtocol, limit: Int = .max) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    var owesSpace = false
    for scalar in text.unicodeScalars {
        if scalar.properties.isWhitespace {
            owesSpace = count > 0
            continue
        }
        guard scalar.isPrintable else { continue }
        guard count + (owesSpace ? 1 : 0) < limit else {
            while count > 0, count >= limit {
                result.removeLast()
                count -= 1
            }
            result.append("…")
            break
        }
        if owesSpace {
            result.append(" ")
            count += 1
            owesSpace = false
        }
        result.append(scalar)
        count += 1
    }
    return String(result)
}

/// Text of foreign origin in a form that is safe to print and to log: each run of white space becomes one space, control
/// and formatting characters (which can move, turn or hide what follows) are left out, and what is longer than `limit`
/// Unicode scalars is cut and marked.
package func printable(_ text: some StringProtocol, limit: Int = .max) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    var owesSpace = false
    for scalar in text.unicodeScalars {
        if scalar.properties.isWhitespace {
            owesSpace = count > 0
            continue
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned:
            continue
        default:
            break
        }
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

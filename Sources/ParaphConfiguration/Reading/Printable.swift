/// A text of the file between quotation marks, made printable and at most 64 characters long.
func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(64).map { scalar in
        scalar.properties.isWhitespace && scalar != " " || scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .format ? "?" : Character(scalar)
    }
    return "\"\(String(scalars))\(text.unicodeScalars.count > 64 ? "…" : "")\""
}

/// `one, two or three`.
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}

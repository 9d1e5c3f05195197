import Bytes

/// A text of the file between quotation marks, made printable and shortened.
/// - Parameter limit: How many characters are shown.
func shown(_ text: String, limit: Int = 64) -> String {
    "\"\(PrintableText(text, limit: limit))\""
}

/// A path, which is of no use when its end is missing.
func shown(path: String) -> String { shown(path, limit: 4_096) }

/// `one, two or three`.
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}

extension String {
    /// The text with an escape before each of some characters.
    ///
    /// - Parameter characters: Looked for scalar by scalar: a quotation mark under a combining accent is another
    ///   `Character` for Swift, and still ends what is quoted.
    package func escaping(_ characters: String, with escape: String = "\\") -> String {
        var escaped = UnicodeScalarView()
        for scalar in unicodeScalars {
            if characters.unicodeScalars.contains(scalar) { escaped.append(contentsOf: escape.unicodeScalars) }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}

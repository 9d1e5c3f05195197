/// A word as a person pastes it into a shell: as it is where that is safe, otherwise in single quotes.
package func shellQuoted(_ word: String) -> String {
    // For zsh `=ls` is the path of ls.
    if word.isPlainForShells, word.utf8.first != UInt8(ascii: "=") { return word }
    // Each ends the quotes, stands outside of them, and begins them anew.
    let quoted = word.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + quoted.map { String($0) }.joined(separator: #"'\''"#) + "'"
}

extension String {
    /// Indicates whether there is something, and none of it is special to any shell within a word.
    package var isPlainForShells: Bool {
        !isEmpty
            && utf8.allSatisfy { $0.isLetterOrDigit || "-._/:=@%+,".utf8.contains($0) }
    }
}

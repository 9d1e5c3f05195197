/// A word as a person pastes it into a shell: as it is where that is safe, otherwise in single quotes.
package func shellQuoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._/:=@%+,".utf8.contains(byte)
        }
    }
    // For zsh `=ls` is the path of ls.
    guard !isPlain || word.isEmpty || word.utf8.first == UInt8(ascii: "=") else { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}

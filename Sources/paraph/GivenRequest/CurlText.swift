import Bytes

/// A curl command as a person pastes it: of a shell, or of Windows' command prompt, as browsers copy it.
enum CurlText {
    /// Returns whether a text is a curl command, judged by its first words.
    static func isCommand(_ text: some StringProtocol) -> Bool {
        var words = text.split(maxSplits: 2, whereSeparator: \.isWhitespace)[...]
        if ["$", "%", ">", "#"].contains(words.first) { words = words.dropFirst() }
        return words.first.map { isCurl(String($0)) } ?? false
    }

    /// - Throws: ``GivenRequestError/malformed(_:_:)``.
    static func request(_ text: String) throws(GivenRequestError) -> GivenRequest {
        var text = text[...].drop(while: \.isWhitespace)
        // A prompt.
        if let first = text.first, "$%>#".contains(first) { text = text.dropFirst().drop(while: \.isWhitespace) }
        if CommandPromptWords.isLikely(text) {
            return try CurlArguments(CommandPromptWords(text).words.dropFirst()).request()
        }
        let shell: ShellWords
        do throws(ShellWordsError) {
            shell = try ShellWords(String(text))
        } catch {
            throw .malformed(.curl, error.description)
        }
        var request = try CurlArguments(shell.words.dropFirst()).request()
        if let (name, line) = shell.end {
            request.notes.append(
                "A shell ends the command at \(name) in line \(line), and so does this: what follows is left aside. If it is "
                    + "part of the URL, put that in quotes; if it is the next line, end this one with a backslash."
            )
        }
        return request
    }

    private static func isCurl(_ word: String) -> Bool {
        let name = word.split(separator: "/").last ?? ""
        return name == "curl" || name == "curl.exe"
    }
}

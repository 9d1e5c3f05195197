import Bytes

/// A curl command as a person pastes it: of a shell, or of Windows' command prompt, as browsers copy it.
enum CurlText {
    /// Programs that run the one behind them as it is.
    private static let runners: Set<String> = [
        "sudo", "doas", "time", "env", "command", "exec", "nohup", "noglob", "winpty", "proxychains", "proxychains4",
        "torsocks",
    ]

    /// Returns whether a text is a curl command, judged by its first words.
    static func isCommand(_ text: some StringProtocol) -> Bool { command(in: String(text)[...]) != nil }

    /// Returns the part of a text that begins with `curl`: what stands before it is a prompt, variables that are set
    /// for the command, and programs that run it; nil where anything else does.
    private static func command(in text: Substring) -> Substring? {
        var rest = text.drop(while: \.isWhitespace)
        if let first = rest.first, "$%>#".contains(first) { rest = rest.dropFirst().drop(while: \.isWhitespace) }
        var isBehindRunner = false
        while let word = firstWord(of: rest) {
            let name = word.split(separator: "/").last.map { String($0) } ?? ""
            if name == "curl" || name == "curl.exe" { return rest }
            let isRunner = runners.contains(name)
            guard isRunner || isAssignment(word) || isBehindRunner && word.hasPrefix("-") else { return nil }
            isBehindRunner = isBehindRunner || isRunner
            rest = rest.dropFirst(word.count).drop(while: \.isWhitespace)
        }
        return nil
    }

    /// The characters of a word before the command, beyond which it is none: a HAR may be all one line.
    private static let longestWord = 4096

    /// Returns what goes to the first blank outside of quotation marks, as it is written; nil where there is none, or
    /// its quotation does not end.
    private static func firstWord(of text: Substring) -> Substring? {
        var quotation: Character?
        var isEscaped = false
        var count = 0
        for index in text.indices {
            count += 1
            guard count <= longestWord else { return nil }
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if character == "\\", quotation != "'" {
                isEscaped = true
            } else if let mark = quotation {
                if character == mark { quotation = nil }
            } else if character == "'" || character == "\"" {
                quotation = character
            } else if character.isWhitespace {
                return text[..<index]
            }
        }
        return quotation == nil && !text.isEmpty ? text : nil
    }

    private static func isAssignment(_ word: Substring) -> Bool {
        let name = word.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard name.count < word.utf8.count, let first = name.first, !first.isDigit else { return false }
        return name.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
    }

    /// - Throws: ``GivenRequestError/malformed(_:_:)``.
    static func request(_ text: String) throws(GivenRequestError) -> GivenRequest {
        let text = command(in: text[...]) ?? text[...]
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
}

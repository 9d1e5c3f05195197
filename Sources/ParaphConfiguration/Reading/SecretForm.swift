import Bytes
import Files

/// Forms of text that stands where a secret belongs and is probably something else. What is made at random, in base64
/// or in hexadecimal digits, has none of them.
enum SecretForm {
    /// Returns words on a text that refers to a secret in a way that means nothing here. A secret that really looks so
    /// can be put in a file.
    static func reference(_ text: String) -> String? {
        if isShellVariable(text) { return "looks like a shell variable, which means nothing here; write {env: NAME}" }
        if text.hasPrefix("{{"), text.hasSuffix("}}") {
            return "looks like a part of a template that nothing has filled in; write {env: NAME} or {file: PATH}"
        }
        if text.hasPrefix("{"), text.hasSuffix("}") {
            let content = text.dropFirst().drop { $0 == " " }
            guard ["env:", "file:"].contains(where: content.hasPrefix) else { return nil }
            return "looks like {env: NAME} or {file: PATH} in quotes, which make mere text of it; take them away"
        }
        if text.hasPrefix("$("), text.hasSuffix(")") {
            return "looks like a shell command, which is not run here; write {env: NAME} or {file: PATH}"
        }
        if text.utf8.count > 2, text.hasPrefix("%"), text.hasSuffix("%"), isVariable(text.dropFirst().dropLast()) {
            return "looks like a variable of Windows, which means nothing here; write {env: NAME}"
        }
        return scheme(text)
    }

    /// `env:NAME`, `file:PATH` and what names a secret of a store.
    private static func scheme(_ text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = text[text.index(after: colon)...].drop { $0 == " " }
        switch text[..<colon].lowercased() {
        case "env" where isVariable(rest.drop { $0 == "/" }): return "looks like a reference; write {env: NAME}"
        case "file" where rest.contains("/") || rest.contains("."):
            return "looks like a reference; write {file: PATH}"
        case "vault" where rest.contains("/"), "op" where rest.hasPrefix("//"), "arn" where rest.hasPrefix("aws:"):
            return "looks like a reference into a secret store, which is not asked here; have its secret put into "
                + "a variable or a file, and write {env: NAME} or {file: PATH}"
        default: return nil
        }
    }

    /// `$NAME` in capitals, or `${…}`.
    private static func isShellVariable(_ text: String) -> Bool {
        guard text.hasPrefix("$"), text.utf8.count > 1 else { return false }
        if text.hasPrefix("${"), text.hasSuffix("}") { return true }
        return text.utf8.dropFirst().allSatisfy { $0.isUppercase || $0 == UInt8(ascii: "_") }
    }

    private static func isVariable(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isUppercase || $0 == UInt8(ascii: "_") || $0.isDigit }
    }

    /// Returns whether a text is the path of a file that is there, or begins like the paths that secrets are mounted
    /// at.
    static func isPath(_ text: String) -> Bool {
        guard text.hasPrefix("/"), text.utf8.count > 5, !text.hasSuffix("/"), !text.contains(" ") else { return false }
        return folders.contains(where: text.hasPrefix) || FileContents.exists(text)
    }

    /// The beginnings of paths, each so long that base64 has it by chance less than once in a thousand million.
    private static let folders = ["/run/secrets/", "/run/", "/etc/", "/var/lib/", "/var/run/", "/home/", "/secrets/"]

    /// The place that a secret was found in.
    enum Origin {
        case configuration
        case environment
        case file
    }

    /// Returns words on what is odd with a secret of one line.
    static func oddity(_ bytes: [UInt8], from origin: Origin) -> String? {
        if let words = foreignByte(bytes, from: origin) { return words }
        if isPlaceholder(bytes) { return "looks like a placeholder; put the real one in its place" }
        if let words = invisibleBlank(bytes, from: origin) { return words }
        if origin != .configuration, hasName(bytes) {
            return
                "begins with a name and = or :\(source(origin)), as in a file of variables; leave the value alone there"
        }
        guard let first = bytes.first, let last = bytes.last, bytes.count > 1 else { return nil }
        // YAML's own quotes are none of the text.
        if origin != .configuration, first == last, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            return "has quotes around it, which are a part of it\(source(origin)); take them away there"
        }
        if [first, last].contains(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
            let place = origin == .configuration ? "" : " there"
            return "has a blank at an end\(source(origin)); take it away\(place) if it does not belong to it"
        }
        return nil
    }

    /// Returns whether a text is `NAME=…`, `NAME: …` or `export NAME=…`, where the name says that a secret follows.
    /// Base64 has `=` at its end only.
    private static func hasName(_ bytes: [UInt8]) -> Bool {
        let export = Array("export ".utf8)
        let line = bytes.starts(with: export) ? bytes.dropFirst(export.count) : bytes[...]
        let name = line.prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
        let rest = line[name.endIndex...].drop { $0 == UInt8(ascii: " ") }
        let isColon = rest.starts(with: ": ".utf8)
        guard isColon || rest.first == UInt8(ascii: "="), !rest.dropFirst().drop(while: { $0 == rest.first }).isEmpty
        else { return false }
        let lowered = String(decoding: name, as: UTF8.self).lowercased()
        return ["secret", "key", "token", "password"].contains { word in
            lowered == word || lowered.hasSuffix("_\(word)") || lowered.hasPrefix("\(word)_")
                || lowered.contains("_\(word)_")
        }
    }

    /// White space that web pages have, and that looks like a blank or like nothing.
    private static func invisibleBlank(_ bytes: [UInt8], from origin: Origin) -> String? {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
        let blanks = [("\u{A0}", "a no-break space (U+00A0)"), ("\u{200B}", "an invisible zero-width space (U+200B)")]
        return blanks.first { blank, _ in !bytes.ranges(of: Array(blank.utf8)).isEmpty }.map { _, words in
            "holds \(words)\(source(origin)), as copied from a web page; take it away if it does not belong to it"
        }
    }

    private static func foreignByte(_ bytes: [UInt8], from origin: Origin) -> String? {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            return "is UTF-16\(source(origin)); save it as UTF-8 text"
        }
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
            return "begins with a byte order mark\(source(origin)); save it as UTF-8 without one"
        }
        if let end = bytes.firstIndex(where: { $0 == 0x0a || $0 == 0x0d }) {
            return bytes[end...].allSatisfy { $0 == 0x0a || $0 == 0x0d || $0 == 0x20 || $0 == 0x09 }
                ? "ends with a line break, which is a part of it\(source(origin)); \(remedy(origin))"
                : "has several lines\(source(origin)), and a secret is one, alone, without NAME= before it"
        }
        if bytes.contains(where: { $0.isControl && $0 != 0x09 }) {
            return "holds a control character\(source(origin)); secrets are text"
        }
        return (try? UTF8Span(validating: bytes.span)) == nil
            ? "is not UTF-8\(source(origin)); secrets are text" : nil
    }

    private static func source(_ origin: Origin) -> String {
        switch origin {
        case .configuration: ""
        case .environment: " in the variable"
        case .file: " in the file"
        }
    }

    private static func remedy(_ origin: Origin) -> String {
        origin == .configuration ? "write |- in place of |, or one line" : "take it away there"
    }

    private static func isPlaceholder(_ bytes: [UInt8]) -> Bool {
        if bytes.elementsEqual("…".utf8) || bytes.elementsEqual("...".utf8) { return true }
        // As documents print a key whose end is left out.
        if bytes.count > 3, bytes.suffix(3).elementsEqual("…".utf8) { return true }
        if bytes.count > 2, bytes.first == UInt8(ascii: "<"), bytes.last == UInt8(ascii: ">") { return true }
        if bytes.count > 2, let first = bytes.first, "xX*?.-_".utf8.contains(first), bytes.allSatisfy({ $0 == first }) {
            return true
        }
        if ["changeme", "change-me", "change_me", "replaceme", "replace-me", "replace_me", "todo", "placeholder"]
            .contains(where: { bytes.span.spellsIgnoringCase($0) })
        {
            return true
        }
        // `YOUR_CONSUMER_SECRET`, but not a base64 text for URLs.
        let words = bytes.split(omittingEmptySubsequences: false) { "_- ".utf8.contains($0) }
        guard let first = words.first, words.count > 1, words.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isLetter) })
        else {
            return false
        }
        return ["your", "my", "insert", "enter"].contains { first.span.spellsIgnoringCase($0) }
            && words.dropFirst().contains { word in
                ["key", "secret", "token", "password", "id"].contains { word.span.spellsIgnoringCase($0) }
            }
    }
}

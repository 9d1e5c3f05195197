import Bytes
import Files
import OAuthSigning
import SystemPackage

extension Value {
    private static let maximumSecretBytes = 1 << 20

    /// Text, `{env: NAME}` or `{file: PATH}` (one trailing line break dropped).
    /// - Parameters:
    ///   - allowsEmpty: Whether the text may be empty when it is written in place, as `""`.
    ///   - isLine: Whether it has one line, and is looked at for what secrets hardly have.
    func secret(allowsEmpty: Bool = false, isLine: Bool = true) -> Secret? {
        let secret = referable(allowsEmpty: allowsEmpty)
        var place = SecretPlace(position: position, setting: path, file: nil)
        var origin = SecretForm.Origin.configuration
        switch isMapping ? secretReference() : nil {
        case (.environment, _)?: origin = .environment
        case (.file, let name)?:
            origin = .file
            place.file = context.resolve(name)
            context.note(place)
        case nil: if secret?.isEmpty == false { context.note(place) }
        }
        if isLine, let secret { adviseOnForm(of: secret, from: origin) }
        return secret
    }

    /// A name that is no secret and is written as one may be: in place, or in a variable or a file.
    func identifier() -> Secret? {
        let name = referable(allowsEmpty: false)
        if let name {
            let kind = isMapping ? secretReference()?.0 : nil
            adviseOnForm(of: name, from: kind.map { $0 == .file ? .file : .environment } ?? .configuration)
        }
        return name
    }

    private func adviseOnForm(of secret: Secret, from origin: SecretForm.Origin) {
        if let scalar = node.scalar {
            if scalar.isPlain, context.source?.hasDenseComment(after: scalar.end) == true {
                advise(
                    .warning,
                    "ends before the # behind it, which starts a comment; put it in quotes if that "
                        + "belongs to it"
                )
            }
            if SecretForm.isPath(scalar.text) {
                advise(.warning, "looks like a path, and is not read as one; write {file: PATH}")
            }
        }
        let oddity = secret.withBytes { span in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(span.count)
            for index in span.indices { bytes.append(span[index]) }
            defer { for index in bytes.indices { bytes[index] = 0 } }
            return bytes.isEmpty ? nil : SecretForm.oddity(bytes, from: origin)
        }
        if let oddity { advise(.warning, oddity) }
    }

    private func referable(allowsEmpty: Bool) -> Secret? {
        if isMapping { return referredSecret() }
        if isList {
            report("must be text, {env: NAME} or {file: PATH}")
            return nil
        }
        guard let text = text() else { return nil }
        if text.isEmpty, !allowsEmpty {
            report("is empty")
            return nil
        }
        if let words = SecretForm.reference(text) {
            report(words)
            return nil
        }
        return Secret(text)
    }

    /// No key or value of the mapping is printed but what is certainly the name of a variable or of a file: whoever
    /// writes `{s3cr3t}` has made a key of the secret.
    private func referredSecret() -> Secret? {
        guard let (kind, reference) = secretReference() else {
            report("must be text, {env: NAME} or {file: PATH}\(referenceSlip.map { "; \($0)" } ?? "")")
            return nil
        }
        switch kind {
        case .environment: return environmentSecret(reference)
        case .file: return fileSecret(reference)
        }
    }

    /// Words on what is wrong with a mapping that is neither `{env: NAME}` nor `{file: PATH}`.
    private var referenceSlip: String? {
        guard case .mapping(let mapping) = node.content else { return nil }
        let keys = mapping.compactMap { $0.key.scalar?.text }
        if keys.contains("env"), keys.contains("file") { return "keep one of env and file" }
        guard mapping.count == 1, let key = keys.first else {
            return mapping.first?.key.isMapping == true ? "one pair of braces is enough" : nil
        }
        for word in ["env", "file"] {
            if key == word { return "\(word) has no value that is a word" }
            if key.lowercased() == word { return "\(word) is written in small letters" }
            if key.hasPrefix("\(word):") { return "the blank is missing after the colon" }
            if key.hasPrefix("\(word) ") || key.hasPrefix("\(word)=") {
                return "the colon and a blank are missing "
                    + "after \(word)"
            }
        }
        if let near = NearestWord.to(key, among: ["env", "file"]) { return "did you mean \(near)?" }
        return ["value", "text", "secret"].contains(key) ? "text stands for itself, without a key" : nil
    }

    enum SecretReference {
        case environment
        case file
    }

    /// Returns what a mapping refers to; `nil` when it is neither `{env: NAME}` nor `{file: PATH}`.
    func secretReference() -> (SecretReference, String)? {
        guard case .mapping(let mapping) = node.content, mapping.count == 1, let (key, value) = mapping.first,
            let name = value.scalar?.text, !name.isEmpty
        else { return nil }
        switch key.scalar?.text {
        case "env": return (.environment, name)
        case "file": return (.file, name)
        default: return nil
        }
    }

    private func environmentSecret(_ name: String) -> Secret? {
        let isName =
            name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") } && name.utf8.first?.isDigit != true
        guard isName else {
            report("does not name an environment variable after env: (letters, digits and _)")
            return nil
        }
        guard let value = context.secretVariable(name) else {
            report("needs \(ShownName.variable(name)), which is not set")
            return nil
        }
        guard !value.isEmpty else {
            report("needs \(ShownName.variable(name)), which is set but empty")
            return nil
        }
        return Secret(value)
    }

    /// Text in a file, of which one trailing line break is dropped.
    func fileSecret(_ reference: String) -> Secret? {
        let path = context.resolve(reference)
        let name = ShownName.file(reference, resolved: path)
        do throws(Errno) {
            var bytes = try context.contents(ofFile: path, limit: Self.maximumSecretBytes)
            defer { for index in bytes.indices { bytes[index] = 0 } }
            if bytes.last == UInt8(ascii: "\n") {
                bytes.removeLast()
                if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            }
            guard !bytes.isEmpty else {
                report("needs \(name), which is empty")
                return nil
            }
            return Secret(bytes: bytes)
        } catch {
            report("needs \(name), which \(Self.problem(error, of: reference, limit: "1MiB"))")
            return nil
        }
    }

    /// Words on why a file cannot be had.
    /// - Parameter limit: The size that it may have.
    static func problem(_ error: Errno, of name: String, limit: String) -> String {
        if error == .fileTooLarge { return "is larger than \(limit)" }
        let isExpanded = name.hasPrefix("~") || name.contains("$")
        return "cannot be read: \(error.reason)\(isExpanded ? "; ~ and $NAME are not replaced in paths" : "")"
    }
}

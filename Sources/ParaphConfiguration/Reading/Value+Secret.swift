import Files
import OAuthSigning
import SystemPackage

extension Value {
    private static let maximumSecretBytes = 1 << 20

    /// Text, `{env: NAME}` or `{file: PATH}` (one trailing line break dropped).
    /// - Parameter allowsEmpty: Whether the text may be empty when it is written in place, as `""`.
    func secret(allowsEmpty: Bool = false) -> Secret? {
        let secret = referable(allowsEmpty: allowsEmpty)
        var place = SecretPlace(position: position, setting: path, file: nil)
        switch isMapping ? secretReference() : nil {
        case (.environment, _)?: break
        case (.file, let name)?:
            place.file = context.resolve(name)
            context.note(place)
        case nil: if secret?.isEmpty == false { context.note(place) }
        }
        return secret
    }

    /// A name that is no secret and is written as one may be: in place, or in a variable or a file.
    func identifier() -> Secret? { referable(allowsEmpty: false) }

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
        guard !Self.isShellVariable(text) else {
            report("looks like a shell variable, which means nothing here; write {env: NAME}")
            return nil
        }
        return Secret(text)
    }

    /// `$NAME` in capitals, or `${…}`. A secret that really looks so can be put in a file.
    private static func isShellVariable(_ text: String) -> Bool {
        guard text.hasPrefix("$"), text.utf8.count > 1 else { return false }
        if text.hasPrefix("${"), text.hasSuffix("}") { return true }
        return text.utf8.dropFirst().allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_")
        }
    }

    /// No key or value of the mapping is printed but what is certainly the name of a variable or of a file: whoever
    /// writes `{s3cr3t}` has made a key of the secret.
    private func referredSecret() -> Secret? {
        guard let (kind, reference) = secretReference() else {
            report("must be text, {env: NAME} or {file: PATH}")
            return nil
        }
        switch kind {
        case .environment: return environmentSecret(reference)
        case .file: return fileSecret(reference)
        }
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
            name.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            } && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name.utf8.first ?? 0)
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
            let isTooLarge = error == .fileTooLarge
            report("needs \(name), which \(isTooLarge ? "is larger than 1MiB" : "cannot be read: \(error.reason)")")
            return nil
        }
    }
}

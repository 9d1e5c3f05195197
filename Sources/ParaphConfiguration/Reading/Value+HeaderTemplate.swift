import Credentials

extension Value {
    /// The field that tokens are sent in: `VALUE`, for Authorization, or `NAME: VALUE`; nil when a mistake was
    /// reported.
    ///
    /// - Parameter takesColon: Whether a value of Authorization may begin with what could be another field's name. Only
    ///   where files may have one that are older than such names.
    func headerTemplate(takesColon: Bool) -> HeaderTemplate? {
        guard let text = word() else { return nil }
        do throws(HeaderTemplate.Fault) {
            let template = try HeaderTemplate(parsing: text)
            guard !takesColon, let name = HeaderTemplate.nameWithoutBlank(in: text) else {
                if !text.lowercased().hasPrefix("authorization:") { adviseOnName(in: template) }
                return template
            }
            report(
                "has no blank between \(name): and {token}; write '\(name): {token}' for a field of that name, or "
                    + "'Authorization: \(name):{token}' for a value that begins so"
            )
        } catch {
            switch error {
            case .malformed:
                report(
                    "must have {token} once, where the access token goes, like 'Bearer {token}' or 'X-Api-Key: {token}', "
                        + "in visible ASCII"
                )
            case .ownedField(let name):
                report("cannot be \(name): that field is not free to carry a token; take the one that the API asks for")
            }
        }
        return nil
    }

    /// Remarks on a value of Authorization whose first word looks like the name of a field.
    private func adviseOnName(in template: HeaderTemplate) {
        guard template.field == nil, let end = template.prefix.firstIndex(of: " ") else { return }
        let word = template.prefix[..<end]
        let lowercased = word.lowercased()
        guard lowercased.hasPrefix("x-") || ["-key", "-token"].contains(where: lowercased.contains),
            HeaderTemplate("\(word): {token}")?.field != nil
        else { return }
        advise(.note, "is a value of Authorization; write '\(word): {token}' if \(word) is the name of a field")
    }
}

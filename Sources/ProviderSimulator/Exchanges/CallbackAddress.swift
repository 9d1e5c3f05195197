/// The address that the browser goes to after the user has decided (RFC 5849, section 2.2).
enum CallbackAddress {
    static func isAbsolute(_ text: String) -> Bool {
        ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }

    /// The address with these pairs added to its query.
    static func adding(_ pairs: [(name: String, value: String)], to address: String) -> String {
        let query = String(decoding: FormPairs.encode(pairs), as: UTF8.self)
        let (base, fragment) = split(address)
        return base + (base.contains("?") ? "&" : "?") + query + fragment
    }

    private static func split(_ address: String) -> (base: Substring, fragment: Substring) {
        let base = address.prefix { $0 != "#" }
        return (base, address[base.endIndex...])
    }
}

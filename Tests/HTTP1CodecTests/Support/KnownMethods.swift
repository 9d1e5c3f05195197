/// The methods of HTTP that llhttp knows. This codec takes any token for one (RFC 9110, section 9.1).
enum KnownMethods {
    /// The words in which llhttp refuses another one.
    static let refusal = "invalid HTTP method"

    private static let names: Set<String> = [
        "ACL", "BIND", "CHECKOUT", "CONNECT", "COPY", "DELETE", "GET", "HEAD", "LINK", "LOCK", "M-SEARCH", "MERGE",
        "MKACTIVITY", "MKCALENDAR", "MKCOL", "MOVE", "NOTIFY", "OPTIONS", "PATCH", "POST", "PROPFIND", "PROPPATCH",
        "PURGE", "PUT", "QUERY", "REBIND", "REPORT", "SEARCH", "SOURCE", "SUBSCRIBE", "TRACE", "UNBIND", "UNLINK",
        "UNLOCK", "UNSUBSCRIBE",
    ]

    static func contains(methodOf message: Transcript.Message) -> Bool {
        names.contains(String(message.startLine.prefix { $0 != " " }))
    }
}

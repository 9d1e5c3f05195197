/// The forms in which a request can be given.
enum RequestFormat: String, Sendable, CaseIterable {
    case http
    case curl
    case har
    case accessLog = "access_log"

    /// The name for a person.
    var name: String {
        switch self {
        case .http: "HTTP request"
        case .curl: "curl command"
        case .har: "HAR"
        case .accessLog: "line of the access log"
        }
    }

    /// All that can be read.
    static let list =
        "an HTTP request (GET /path HTTP/1.1 and its fields), a curl command, a HAR file or an entry of one, and a line "
        + "of paraph's access log"
}

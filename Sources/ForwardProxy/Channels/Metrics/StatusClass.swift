/// The first digit of a status code.
enum StatusClass: Int, CaseIterable {
    /// There was no answer, or none of a class that RFC 9110, section 15, knows.
    case none = 0
    case informational = 1
    case successful = 2
    case redirection = 3
    case clientError = 4
    case serverError = 5

    init(_ status: Int?) {
        self = StatusClass(rawValue: (status ?? 0) / 100) ?? .none
    }

    /// The class as a label.
    var label: String { self == .none ? "none" : "\(rawValue)xx" }
}

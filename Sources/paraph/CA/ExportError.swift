import Glibc

/// Why no certificate was written.
enum ExportError: Error, CustomStringConvertible {
    case passwordNotForJava
    case notWritten(String, Int32)

    var description: String {
        switch self {
        case .passwordNotForJava:
            "the truststore's password is not one that Java takes: six characters of ASCII at least"
        case .notWritten(let place, let code):
            "\(place) cannot be written: \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
        }
    }
}

import Files
import SystemPackage

/// The reason why no certificate was written.
enum ExportError: Error, CustomStringConvertible {
    case passwordNotForJava
    case notWritten(String, Errno)

    var description: String {
        switch self {
        case .passwordNotForJava:
            "the truststore's password is not one that Java takes: six characters of ASCII at least"
        case .notWritten(let place, let error): "\(place) cannot be written: \(error.reason)"
        }
    }
}

import Bytes

/// What is wrong with the text of a pin.
package enum PinError: Error, Equatable, Sendable {
    case missingPrefix(String)
    case notBase64(String)
    case wrongLength(String, octets: Int)

    package var label: String {
        switch self {
        case .missingPrefix: "pin_prefix"
        case .notBase64: "pin_base64"
        case .wrongLength: "pin_length"
        }
    }
}

extension PinError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingPrefix(let text):
            "the pin \(quoted(text)) does not start with sha256/: a pin is sha256/ and the SHA-256 in base64"
        case .notBase64(let text):
            "what follows sha256/ in the pin \(quoted(text)) is not base64 with its padding (44 characters)"
        case .wrongLength(let text, let octets):
            "the pin \(quoted(text)) holds \(octets) octets: a SHA-256 has 32 (44 characters of base64)"
        }
    }

    private func quoted(_ text: String) -> String { "\"\(PrintableText(text, limit: 80))\"" }
}

/// The fault of a pin's text.
package enum PinError: Error, Equatable, Sendable {
    case missingPrefix
    case notBase64
    case wrongLength(bytes: Int)

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
        case .missingPrefix:
            "the pin does not start with sha256/: a pin is sha256/ and the SHA-256 in base64"
        case .notBase64:
            "what follows sha256/ in the pin is not base64 with its padding (44 characters)"
        case .wrongLength(let bytes):
            "the pin holds \(bytes) bytes: a SHA-256 has 32 (44 characters of base64)"
        }
    }
}

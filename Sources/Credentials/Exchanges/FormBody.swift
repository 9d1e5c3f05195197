import Bytes
import OAuthSigning

/// A form (`application/x-www-form-urlencoded`) that is being written.
struct FormBody {
    static let mediaType = "application/x-www-form-urlencoded"

    private(set) var bytes: [UInt8] = []

    mutating func append(_ name: String, _ value: String) {
        append(name, bytes: Array(value.utf8))
    }

    mutating func append(_ name: String, _ value: Secret) {
        append(name, bytes: value.withBytes { bytes in bytes.indices.map { bytes[$0] } })
    }

    mutating func append(_ name: String, bytes value: [UInt8]) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        bytes += PercentEncoding.encode(name.utf8)
        bytes.append(UInt8(ascii: "="))
        bytes += PercentEncoding.encode(value)
    }
}

import OAuthSigning

/// A form (`application/x-www-form-urlencoded`) that is being written.
struct FormBody {
    static let mediaType = "application/x-www-form-urlencoded"

    private(set) var octets: [UInt8] = []

    mutating func append(_ name: String, _ value: String) {
        append(name, octets: Array(value.utf8))
    }

    mutating func append(_ name: String, _ value: Secret) {
        append(name, octets: value.withOctets { octets in octets.indices.map { octets[$0] } })
    }

    mutating func append(_ name: String, octets value: [UInt8]) {
        if !octets.isEmpty { octets.append(UInt8(ascii: "&")) }
        octets += PercentEncoding.encode(name.utf8)
        octets.append(UInt8(ascii: "="))
        octets += PercentEncoding.encode(value)
    }
}

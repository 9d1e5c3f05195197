import FoundationEssentials
import OAuthSigning

/// The plaintext of a vault file: the time (8 octets), the token, its secret, the number of attributes (2 octets), and
/// each attribute's name and value in the order of the names; texts as their length (4 octets) and their octets.
extension StoredCredential {
    /// The caller wipes it.
    func encoded() -> Data {
        let attributes = attributes.sorted { $0.key < $1.key }
        var count = 8 + 4 + token.token.utf8.count + 4 + token.secret.withOctets { $0.count } + 2
        for (name, value) in attributes { count += 8 + name.utf8.count + value.utf8.count }
        // Room for all of it at once: growing would leave copies of the secret behind.
        var data = Data(capacity: count)
        data.append(bigEndian: obtainedAt)
        data.append(text: token.token)
        token.secret.withOctets { octets in
            data.append(bigEndian: UInt32(octets.count))
            for index in octets.indices { data.append(octets[index]) }
        }
        data.append(bigEndian: UInt16(clamping: attributes.count))
        for (name, value) in attributes.prefix(Int(UInt16.max)) {
            data.append(text: name)
            data.append(text: value)
        }
        return data
    }

    init?(encoded octets: Data) {
        var reader = OctetReader(octets)
        guard let obtainedAt = reader.number(UInt64.self), let token = reader.text(),
            let secretCount = reader.number(UInt32.self), var secret = reader.take(Int(secretCount))
        else { return nil }
        defer { secret.wipe() }
        guard let attributeCount = reader.number(UInt16.self) else { return nil }
        var attributes: [String: String] = [:]
        for _ in 0..<attributeCount {
            guard let name = reader.text(), let value = reader.text() else { return nil }
            attributes[name] = value
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            token: TokenCredentials(token: token, secret: Secret(octets: secret)),
            attributes: attributes,
            obtainedAt: obtainedAt
        )
    }
}

extension Data {
    mutating func append(bigEndian number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    fileprivate mutating func append(text: String) {
        append(bigEndian: UInt32(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}

extension OctetReader {
    fileprivate mutating func text() -> String? {
        guard let count = number(UInt32.self), let octets = take(Int(count)) else { return nil }
        return String(validating: octets, as: UTF8.self)
    }
}

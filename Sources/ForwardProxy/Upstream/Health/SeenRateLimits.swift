import Bytes
import HTTP1Codec
import Inspection
import NIOCore

/// The fields by which a provider last told an account how many more requests it takes.
package struct SeenRateLimits: Equatable, Sendable {
    package struct Field: Equatable, Sendable {
        /// The name as it was spelled.
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The account of the request; nil when it was of none.
    package var account: String?
    /// Whole seconds since 1970-01-01T00:00:00Z, by this machine's clock.
    package var time: Int64
    /// The fields in the order of the response; what may be secret in them left out, and all of it printable.
    package var fields: [Field]

    package init(of account: String?, time: Int64, fields: [Field]) {
        self.account = account
        self.time = time
        self.fields = fields
    }
}

/// The same as it is kept: the bytes of the lines.
struct KeptRateLimits {
    private static let lineLimit = 16
    private static let nameLimit = 64
    private static let valueLimit = 256

    let time: Int64
    private let bytes: [UInt8]

    init(_ fields: FieldSection, time: Int64) {
        self.time = time
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        for line in fields.rateLimitLines.prefix(Self.lineLimit) {
            bytes += line.name.readableBytesView.prefix(Self.nameLimit)
            bytes.append(UInt8(ascii: ":"))
            bytes += line.value.readableBytesView.prefix(Self.valueLimit)
            bytes.append(UInt8(ascii: "\n"))
        }
        self.bytes = bytes
    }

    func seen(by account: String?) -> SeenRateLimits {
        let fields = bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
            let value = String(decoding: line.dropFirst(name.utf8.count + 1), as: UTF8.self)
            return SeenRateLimits.Field(name, Self.isQuota(value) ? Redaction.field(name, value) : "…")
        }
        return SeenRateLimits(of: account, time: time, fields: fields)
    }

    /// Indicates whether a value is made of numbers, times and short names alone. Anything else may be what the
    /// provider was sent, and a token is.
    static func isQuota(_ value: String) -> Bool {
        let short = /[0-9]{1,13}(\.[0-9]{1,6})?|[A-Za-z]{1,12}([-_][A-Za-z]{1,12})?|[0-9A-Za-z]{1,6}/
        let time = /([0-9]{4}-[0-9]{2}-[0-9]{2}T)?[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[-+][0-9]{2}:[0-9]{2})?/
        return value.split { " \t;,=\"".contains($0) }.allSatisfy { part in
            part.wholeMatch(of: short) != nil || part.wholeMatch(of: time) != nil
        }
    }
}

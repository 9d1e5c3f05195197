import Bytes
import OAuthSigning

/// A parameter that some signer signs.
struct RecipeParameter: Sendable {
    /// The name and the value, decoded.
    var name: [UInt8]
    var value: [UInt8]
    let origin: ParameterOrigin
    /// The parameter as it stood in the query or the form; of a protocol parameter, as it is.
    let written: WrittenPair
    /// Indicates whether name and value are taken to be encoded already.
    var isEncoded = false
    /// Indicates whether a `=` is put behind the name.
    var hasEquals = true
    /// Indicates whether the `&` before it is missing.
    var isJoined = false

    init(protocolName name: [UInt8], value: [UInt8]) {
        self.name = name
        self.value = value
        origin = .protocol
        written = WrittenPair(name: name, value: value)
    }

    init(_ written: WrittenPair, origin: ParameterOrigin) {
        self.written = written
        self.origin = origin
        (name, value) = written.decoded(plusIsSpace: true)
    }

    /// A parameter that is put together, rather than read.
    init(name: [UInt8], value: [UInt8], origin: ParameterOrigin) {
        self.name = name
        self.value = value
        self.origin = origin
        written = WrittenPair(name: PercentEncoding.encode(name), value: PercentEncoding.encode(value))
    }

    /// The parameters of a query or a form, but for `oauth_signature` (RFC 5849, section 3.4.1.3.1).
    static func all(in form: [UInt8], origin: ParameterOrigin, separators: String = "&") -> [RecipeParameter] {
        WrittenPair.pairs(of: form, separatedBy: separators).map { RecipeParameter($0, origin: origin) }
            .filter { !$0.name.elementsEqual("oauth_signature".utf8) }
    }

    var nameText: String { String(decoding: name, as: UTF8.self) }
    var valueText: String { String(decoding: value, as: UTF8.self) }
}

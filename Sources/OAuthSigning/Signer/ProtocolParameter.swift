import Bytes

/// A further protocol parameter of one request, not encoded: `oauth_callback`, `oauth_verifier`, `x_auth_mode`…
package struct ProtocolParameter: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A protocol parameter as it is sent: name and value percent-encoded once.
struct EncodedParameter: Sendable {
    let name: [UInt8]
    let value: [UInt8]

    init(_ parameter: ProtocolParameter) {
        self.init(name: Array(parameter.name.utf8), value: Array(parameter.value.utf8))
    }

    init(name: [UInt8], value: [UInt8]) {
        self.name = PercentEncoding.encode(name)
        self.value = PercentEncoding.encode(value)
    }
}

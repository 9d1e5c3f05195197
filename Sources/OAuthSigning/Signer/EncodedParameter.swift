/// A protocol parameter as it is sent: name and value percent-encoded once.
struct EncodedParameter: Sendable {
    let name: [UInt8]
    let value: [UInt8]

    init(_ parameter: ProtocolParameter) {
        name = PercentEncoding.encode(parameter.name.utf8)
        value = PercentEncoding.encode(parameter.value.utf8)
    }
}

import HTTP1Codec
import NIOCore

/// What a client offers to switch to (RFC 9110, section 7.8): WebSocket (RFC 6455) above all.
enum UpgradeOffer {
    /// The protocols to offer upstream; nil when the connection stays HTTP.
    ///
    /// Not `h2c`: a server that switched to it would answer what this proxy has not read. Not with a body, after which
    /// alone the new protocol would begin.
    static func protocols(in head: RequestHead) -> ByteBuffer? {
        guard head.connection.upgrade, head.version == .http11, head.framing == .none,
            head.fields.contains(.upgrade)
        else { return nil }
        let offered = head.fields.values(of: .upgrade)
            .flatMap { String(buffer: $0).split(separator: ",") }
            .map { $0.drop { $0 == " " || $0 == "\t" } }
            .filter { !$0.isEmpty && !$0.lowercased().hasPrefix("h2c") }
        return offered.isEmpty ? nil : ByteBuffer(string: offered.joined(separator: ", "))
    }
}

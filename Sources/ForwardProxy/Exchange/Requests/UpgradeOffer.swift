import HTTP1Codec
import NIOCore

/// The protocols that a client offers to switch to (RFC 9110, section 7.8): WebSocket (RFC 6455) above all.
enum UpgradeOffer {
    /// The protocols that are never switched to: what came then would be requests that this proxy has not read.
    private static let refused: Set<String> = ["h2c", "h2", "http", "tls"]

    /// The protocols to offer upstream; nil when the connection stays HTTP.
    ///
    /// None with a body, after which alone the new protocol would begin.
    static func protocols(in head: RequestHead) -> ByteBuffer? {
        guard head.connection.upgrade, head.version == .http11, head.framing == .none || head.framing == .length(0)
        else { return nil }
        let offered = members(of: head.fields).filter { !refused.contains($0.prefix { $0 != "/" }.lowercased()) }
        return offered.isEmpty ? nil : ByteBuffer(string: offered.joined(separator: ", "))
    }

    /// Returns whether a response switches to what was offered, and to nothing else.
    static func isTaken(_ offer: ByteBuffer, by response: ResponseHead) -> Bool {
        let offered = Set(members(of: String(buffer: offer)).map { $0.lowercased() })
        let taken = members(of: response.fields)
        return !taken.isEmpty && taken.allSatisfy { offered.contains($0.lowercased()) }
    }

    private static func members(of fields: FieldSection) -> [Substring] {
        fields.values(of: .upgrade).flatMap { members(of: String(buffer: $0)) }
    }

    private static func members(of list: String) -> [Substring] {
        list.split(separator: ",").compactMap { member in
            let start = member.drop { $0 == " " || $0 == "\t" }
            guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return nil }
            return start[...last]
        }
    }
}

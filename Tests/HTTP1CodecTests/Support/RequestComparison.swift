import HTTP1Codec

/// Compares both decoders on a stream of requests.
enum RequestComparison {
    /// Ways to go on from a place in a head or a body, one of which would complete any message that can be completed.
    private static let continuations = [
        "\r\n\r\n", "x\r\n\r\n", ": x\r\n\r\n", "\r\nHost: h\r\n\r\n", "\n\r\n", "0\r\n\r\n",
    ]

    /// llhttp refuses some bytes where they stand, and we with the whole line. So when it alone has refused, what
    /// matters is that no continuation lets us read a message.
    static func agreement(_ own: Transcript, _ stock: Transcript, _ bytes: [UInt8]) -> Agreement {
        if let known = Self.beforeUnknownMethod(own, stock) { return known }
        guard stock.refusal != nil, own.refusal == nil, own.messages == stock.messages else {
            return Agreement(own: own, stock: stock)
        }
        for continuation in continuations {
            let continued = OwnDecoder.requests([bytes, Array(continuation.utf8)])
            if continued.refusal == nil, continued.messages.count > stock.messages.count || continued == own {
                return Agreement(own: continued, stock: stock)
            }
        }
        var refused = own
        refused.refusal = "refused with the rest of its line"
        return Agreement(own: refused, stock: stock)
    }

    /// The judgement on what precedes a method that llhttp alone refuses; nil where it has refused something else.
    private static func beforeUnknownMethod(_ own: Transcript, _ stock: Transcript) -> Agreement? {
        guard stock.refusal == KnownMethods.refusal else { return nil }
        let count = stock.messages.count
        let isRead = own.messages.count > count && !KnownMethods.contains(methodOf: own.messages[count])
        guard isRead || own.messages.count == count && own.refusal == nil else { return nil }
        return Agreement(
            own: Transcript(messages: Array(own.messages.prefix(count))),
            stock: Transcript(messages: stock.messages)
        )
    }
}

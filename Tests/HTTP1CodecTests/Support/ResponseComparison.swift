import HTTP1Codec

/// Compares both decoders on a stream of responses, as `RequestComparison` does.
enum ResponseComparison {
    private static let continuations = [
        "\r\n\r\n", "x\r\n\r\n", ": x\r\n\r\n", " 200 OK\r\n\r\n", "\n\r\n", "0\r\n\r\n",
    ]

    static func agreement(
        _ own: Transcript,
        _ stock: Transcript,
        _ bytes: [UInt8],
        _ methods: [RequestMethod]
    ) -> Agreement {
        guard stock.refusal != nil, own.refusal == nil, own.withoutPersistence == stock.withoutPersistence else {
            return Agreement(own: own, stock: stock, isResponse: true)
        }
        for continuation in continuations {
            let pieces = [bytes, Array(continuation.utf8)]
            let continued = OwnDecoder.responses(pieces, to: methods, closing: false)
            if continued.refusal == nil, continued.messages.count > stock.messages.count || continued == own {
                return Agreement(own: continued, stock: stock, isResponse: true)
            }
        }
        var refused = own
        refused.refusal = "refused with the rest of its line"
        return Agreement(own: refused, stock: stock, isResponse: true)
    }
}

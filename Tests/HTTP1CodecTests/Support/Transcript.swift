/// The messages that a decoder made of a stream of bytes, in a form that two decoders can be compared by.
///
/// Text is decoded as UTF-8 with repair, because NIOHTTP1 hands out strings.
struct Transcript: Equatable {
    struct Field: Equatable {
        var name: String
        var value: String
    }

    struct Message: Equatable {
        /// Method, target and version, or version and status.
        var startLine: String
        var fields: [Field]
        var body: [UInt8] = []
        var trailers: [Field] = []
        var isComplete = false
        var keepsAlive: Bool
        /// Indicates whether what follows the head may be another protocol: only heads can be compared from here on.
        var mayEndHTTP = false
    }

    var messages: [Message] = []
    /// The reason why the rest was refused, or `nil`.
    var refusal: String?

    /// The same without persistence, which NIOHTTP1 computes for a response before it knows that there is no body.
    var withoutPersistence: [Message] {
        messages.map { message in
            var message = message
            message.keepsAlive = false
            return message
        }
    }

    var completeCount: Int { messages.count(where: \.isComplete) }
}

import HTTP1Codec
import NIOCore

/// Runs the decoders of this project over pieces of a stream.
enum OwnDecoder {
    static func requests(_ pieces: [[UInt8]]) -> Transcript {
        var decoder = RequestDecoder()
        var transcript = Transcript()
        for piece in pieces { feed(piece, to: &decoder, into: &transcript) }
        return transcript
    }

    static func feed(_ bytes: [UInt8], to decoder: inout RequestDecoder, into transcript: inout Transcript) {
        if transcript.refusal != nil { return }
        decoder.append(ByteBuffer(bytes: bytes))
        do throws(MessageError) {
            while let event = try decoder.next() {
                switch event {
                case .head(let head): transcript.messages.append(message(head))
                case .body(let body): transcript.messages[transcript.messages.count - 1].body += body.readableBytesView
                case .end(let trailers): end(trailers, in: &transcript)
                }
            }
        } catch {
            transcript.refusal = error.label
        }
    }

    /// - Parameter closing: Whether the end of the connection follows the pieces.
    static func responses(_ pieces: [[UInt8]], to methods: [RequestMethod], closing: Bool) -> Transcript {
        var decoder = ResponseDecoder()
        var transcript = Transcript()
        for method in methods { decoder.expect(responseTo: method) }
        do throws(MessageError) {
            for piece in pieces {
                decoder.append(ByteBuffer(bytes: piece))
                while let event = try decoder.next() { add(event, methods, to: &transcript) }
            }
            if closing {
                while let event = try decoder.finish() { add(event, methods, to: &transcript) }
            }
        } catch {
            transcript.refusal = error.label
        }
        return transcript
    }

    private static func add(_ event: ResponseEvent, _ methods: [RequestMethod], to transcript: inout Transcript) {
        switch event {
        case .head(let head): transcript.messages.append(message(head, isConnect: methods.contains(.connect)))
        case .body(let body): transcript.messages[transcript.messages.count - 1].body += body.readableBytesView
        case .end(let trailers): end(trailers, in: &transcript)
        }
    }

    private static func end(_ trailers: FieldSection?, in transcript: inout Transcript) {
        transcript.messages[transcript.messages.count - 1].isComplete = true
        transcript.messages[transcript.messages.count - 1].trailers = trailers.map(fields) ?? []
    }

    private static func message(_ head: RequestHead) -> Transcript.Message {
        let version = head.version == .http11 ? "HTTP/1.1" : "HTTP/1.0"
        return Transcript.Message(
            startLine: "\(String(buffer: head.methodBytes)) \(String(buffer: head.target)) \(version)",
            fields: fields(head.fields),
            keepsAlive: head.keepAlive,
            mayEndHTTP: head.method == .connect || head.fields.contains(.upgrade)
        )
    }

    private static func message(_ head: ResponseHead, isConnect: Bool) -> Transcript.Message {
        Transcript.Message(
            startLine: "\(head.version == .http11 ? "HTTP/1.1" : "HTTP/1.0") \(head.status)",
            fields: fields(head.fields),
            isComplete: head.isInformational,
            keepsAlive: head.keepAlive,
            mayEndHTTP: isConnect || head.status == 101
        )
    }

    private static func fields(_ section: FieldSection) -> [Transcript.Field] {
        section.map { Transcript.Field(name: String(buffer: $0.name), value: String(buffer: $0.value)) }
    }
}

import NIOCore
import NIOHPACK

/// Reads what an implementation has sent, and says whether it is all that it should have sent.
struct OutputCheck {
    private let role: Role
    private let requests: Int
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var heads = 0
    private var ends = 0
    private var bodyBytes = 0

    init(_ role: Role, requests: Int) {
        self.role = role
        self.requests = requests
    }

    mutating func check(_ output: ByteBuffer) throws {
        var output = output
        if role == .client { output.moveReaderIndex(forwardBy: 24) }
        while let (high, low, type, flags, stream) = output.readMultipleIntegers(
            as: (UInt8, UInt16, UInt8, UInt8, UInt32).self
        ) {
            guard let payload = output.readSlice(length: Int(high) << 16 | Int(low)) else {
                throw InvalidComparison("a frame is cut off")
            }
            switch type {
            case 0:
                guard payload == Work.body else { throw InvalidComparison("another body") }
                bodyBytes += payload.readableBytes
            case 1: try check(block: payload, flags: flags, stream: stream)
            case 4, 8: continue
            default: throw InvalidComparison("a frame of type \(type)")
            }
            ends += Int(flags & 1)
        }
        let expectedBytes = role == .server ? requests * Work.body.readableBytes : 0
        guard heads == requests, ends == requests, bodyBytes == expectedBytes else {
            throw InvalidComparison("\(heads) heads, \(ends) ends, \(bodyBytes) bytes for \(requests) requests")
        }
    }

    private mutating func check(block: ByteBuffer, flags: UInt8, stream: UInt32) throws {
        var block = block
        let fields = try decoder.decodeHeaders(from: &block).map { "\($0.name): \($0.value)" }
        guard flags & 0b1111_1110 == 4, stream == 2 * heads + 1, Set(fields) == Set(expectedFields) else {
            throw InvalidComparison("stream \(stream), flags \(flags): \(fields)")
        }
        heads += 1
    }

    private var expectedFields: [String] {
        switch role {
        case .server:
            return [":status: 200", "via: \(Work.via)"] + Work.responseFields.map { "\($0.name): \($0.value)" }
        case .client:
            return [
                ":method: GET", ":scheme: https", ":authority: \(Work.authority)", ":path: \(Work.path)",
                "user-agent: \(Work.userAgent)", "via: \(Work.via)",
                "authorization: \(Work.authorizations[heads % Work.authorizations.count])",
            ]
        }
    }
}

import HTTP1Codec
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The inspection of a refusal")
struct RefusalInspectionTests {
    private func holding() throws -> RefusalInspection {
        var decoder = ResponseDecoder(limits: MessageLimits())
        decoder.expect(responseTo: .get)
        decoder.append(ByteBuffer(string: "HTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\n\r\n"))
        guard case .head(let head) = try decoder.next() else { throw MessageError.emptyLineRepeated }
        var inspection = RefusalInspection()
        #expect(!inspection.isHolding)
        inspection.hold(head)
        return inspection
    }

    @Test("holds a response back until it is taken, whole")
    func takes() throws {
        var inspection = try holding()
        #expect(inspection.isHolding)
        for piece in ["no", "pe"] {
            let isTooMuch = inspection.append(ByteBuffer(string: piece))
            #expect(!isTooMuch)
        }
        inspection.complete(trailers: nil)
        let held = inspection.takeHeld()
        #expect(held?.head.status == 401 && held.map { String(buffer: $0.body) } == "nope")
        #expect(!inspection.isHolding)
    }

    @Test("is told when that is too much to be held")
    func limit() throws {
        var inspection = try holding()
        let rest = RefusalInspection.limit
        let isTooMuch = inspection.append(ByteBuffer(repeating: 0x61, count: rest))
        let isMore = inspection.append(ByteBuffer(repeating: 0x61, count: 1))
        #expect(!isTooMuch && isMore)
    }

    @Test("forgets the refusal that was made good, and not what is to be told of it")
    func drops() throws {
        var inspection = try holding()
        inspection.note = "A new token was fetched."
        inspection.drop()
        #expect(!inspection.isHolding && inspection.diagnosis == nil && inspection.note != nil)
    }
}

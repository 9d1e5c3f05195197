import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The part of a body that is kept")
struct KeptBodyTests {
    private let start = NIODeadline.uptimeNanoseconds(1 << 40)

    @Test("is all of it, as long as it is sent as it comes and may be sent again")
    func replay() {
        var body = KeptBody()
        for piece in ["ab", "", "c"] { body.keepForReplay(ByteBuffer(string: piece), ownStorageAbove: 100) }
        #expect(body.isAtHand && body.collected == nil)
        #expect(body.replay.map { String(buffer: $0) } == "abc")
        let wasKept = body.dropReplay()
        let isKept = body.dropReplay()
        #expect(wasKept && !isKept)
        body.keepForReplay(ByteBuffer(string: "d"), ownStorageAbove: 100)
        #expect(!body.isAtHand && body.replay == nil && !body.isSent)
    }

    @Test("has storage of its own where it came with much else", arguments: [true, false])
    func ownStorage(isLarge: Bool) {
        var received = ByteBuffer(repeating: 0x61, count: isLarge ? 10_000 : 50)
        let piece = received.readSlice(length: 10) ?? ByteBuffer()
        var body = KeptBody()
        body.keepForReplay(piece, ownStorageAbove: 100)
        #expect(body.replay == piece)
        #expect(body.replay.map { $0.storageCapacity < 100 } == true)
    }

    @Test("is what takes part in the signature, until that is sent")
    func collected() {
        var body = KeptBody()
        body.beginCollecting(from: start)
        #expect(body.collected == ByteBuffer())
        for piece in ["ab", "c"] { body.collect(ByteBuffer(string: piece), at: start) }
        #expect(body.isAtHand && !body.isSent)
        #expect(body.collected.map { String(buffer: $0) } == "abc")
        body.dropCollected()
        #expect(!body.isAtHand && body.isSent)
        #expect(body.collected == ByteBuffer())
    }

    @Test("must come fast enough where it takes part in the signature")
    func pace() {
        var body = KeptBody()
        body.beginCollecting(from: start)
        #expect(body.timeLeft(at: start) == .seconds(20))
        body.collect(ByteBuffer(repeating: 0x61, count: 9_999), at: start + .seconds(9))
        #expect(body.timeLeft(at: start + .seconds(19)) == .seconds(1))
        body.collect(ByteBuffer(repeating: 0x61, count: 1), at: start + .seconds(19))
        #expect(body.timeLeft(at: start + .seconds(19)) == .seconds(20))
    }
}

import HTTP1Codec
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The memory that a request takes")
struct HeldRequestTests {
    private let start = NIODeadline.uptimeNanoseconds(1 << 40)
    private let budget = SharedBudget()
    private let share: SharedBudget.Share

    init() {
        share = SharedBudget.Share(of: budget)
    }

    private func held(headBytes: Int = 0) throws -> HeldRequest {
        HeldRequest(
            head: try requestHead("POST / HTTP/1.1\nHost: a.test\nX: \(String(repeating: "x", count: headBytes))\n\n")
        )
    }

    private func piece(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 0x61, count: count) }

    @Test("is counted where it is large: a head twice, as it is written once more", arguments: [0, 5_000])
    func head(bytes: Int) throws {
        var held = try held(headBytes: bytes)
        let isCounted = held.count(for: share)
        #expect(isCounted)
        #expect(bytes == 0 ? held.countedBytes == 0 : (10_000...10_200).contains(held.countedBytes))
        #expect(share.held == held.countedBytes)
        held.release()
        #expect(share.held == 0)
    }

    @Test("includes a body on its way, until the response begins")
    func replay() throws {
        var held = try held()
        held.keepForReplay(piece(4_000), for: share)
        #expect(held.countedBytes == 0)
        held.keepForReplay(piece(1_000), for: share)
        #expect(held.countedBytes == 5_000 && held.body.isAtHand)
        held.dropReplay()
        #expect(held.countedBytes == 0 && !held.body.isAtHand && share.held == 0)
        held.keepForReplay(piece(9_000), for: share)
        #expect(held.countedBytes == 0)
    }

    @Test("includes no body that is too large to be sent again, or that the client may not hold")
    func limits() throws {
        var large = try held()
        large.keepForReplay(piece(HeldRequest.replayLimit), for: share)
        #expect(large.body.isAtHand)
        large.keepForReplay(piece(1), for: share)
        #expect(!large.body.isAtHand && share.held == 0)
        budget.resize(to: 5_000)
        var refused = try held()
        refused.keepForReplay(piece(6_000), for: share)
        #expect(!refused.body.isAtHand && share.held == 0)
    }

    @Test("includes all of a body that takes part in the signature")
    func collected() throws {
        budget.resize(to: 1 << 16)
        var held = try held()
        held.beginCollecting(from: start)
        held.collect(piece(10_000), at: start)
        let isCounted = held.count(for: share)
        #expect(isCounted && held.countedBytes >= 10_000 && held.uncountedBytes == 0)
        held.collect(piece(100_000), at: start)
        let before = held.countedBytes
        let isMoreCounted = held.count(for: share)
        #expect(!isMoreCounted && held.countedBytes == before)
        #expect(held.uncountedBytes >= 100_000)
        held.dropCollected()
        #expect(held.countedBytes == 0 && held.uncountedBytes == 0 && held.body.isSent)
    }

    @Test("includes what the client's connection keeps, where that is much")
    func waiting() throws {
        var held = try held()
        let isNoticed = [4_096, 8_000, 8_000, 0].map { held.bodyWaits(bytes: $0) }
        #expect(isNoticed == [false, true, false, true])
        _ = held.bodyWaits(bytes: 8_000)
        let isCounted = held.count(for: share)
        #expect(isCounted && held.countedBytes == 8_000)
    }

    @Test("includes a trailer section as long as all before it", arguments: [true, false])
    func trailers(isAtHand: Bool) throws {
        var held = try held()
        let trailers = try requestHead("GET / HTTP/1.1\nHost: a.test\nX: y\n\n").fields
        if !isAtHand { held.dropReplay() }
        held.keep(trailers)
        held.keepTrailers(for: share)
        #expect((held.trailers != nil) == isAtHand)
        held.dropReplay()
        #expect(held.trailers == nil)
    }

    @Test("is refused as a whole while its body is collected, or where no part of it can be done without")
    func wholeIsDispensable() throws {
        var held = try held()
        let (collecting, refusable, kept) = (
            held.dispensablePart(isCollecting: true, isLeased: false, isSent: false, mayFail: false),
            held.dispensablePart(isCollecting: false, isLeased: false, isSent: false, mayFail: true),
            held.dispensablePart(isCollecting: false, isLeased: true, isSent: false, mayFail: false)
        )
        #expect(collecting == .whole && refusable == .whole && kept == nil)
        held.keepForReplay(piece(1_000), for: share)
        let unsent = held.dispensablePart(isCollecting: false, isLeased: false, isSent: false, mayFail: true)
        #expect(unsent == .whole)
    }

    @Test("can do without a body on its way once it has a connection")
    func replayIsDispensable() throws {
        var held = try held()
        held.keepForReplay(piece(1_000), for: share)
        let part = held.dispensablePart(isCollecting: false, isLeased: true, isSent: true, mayFail: true)
        #expect(part == .replay)
    }

    @Test("can do without a body that took part in the signature once that has been sent", arguments: [true, false])
    func collectedIsDispensable(isSent: Bool) throws {
        var held = try held()
        held.beginCollecting(from: start)
        held.collect(piece(1_000), at: start)
        let part = held.dispensablePart(isCollecting: false, isLeased: true, isSent: isSent, mayFail: false)
        let expected: HeldRequest.DispensablePart? = isSent ? .collected : nil
        #expect(part == expected)
    }
}

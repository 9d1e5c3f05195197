import NIOCore
import Testing

@testable import ForwardProxy

@Suite("Places")
struct HeldPlaceTests {
    private final class Mark {}

    /// `X3` is a connection of X that has been idle since second 3, and `X-` one that is in use.
    private func given(_ text: String, count: Int = 32) -> String {
        let marks = (0..<40).map { _ in Mark() }
        let words = text.split(separator: " ")
        let places = zip(words, marks).map { word, mark in
            HeldPlace(
                holder: .peer(.v4(word.unicodeScalars.first?.value ?? 0)),
                use: Int(word.dropFirst()).map { .idle(since: .uptimeNanoseconds(UInt64($0))) } ?? .busy,
                id: ObjectIdentifier(mark),
                loop: 0
            )
        }
        let names = Dictionary(uniqueKeysWithValues: zip(places.map(\.id), words))
        return withExtendedLifetime(marks) {
            HeldPlace.toGive(of: places, count: count) { $0.use.idleSince }.reversed()
                .map { "\(names[$0.place.id] ?? "?")/\($0.held)" }.joined(separator: " ")
        }
    }

    @Test(
        "are given to newcomers by those who hold the most, the longest idle first",
        arguments: [
            ("", ""), ("X-", ""), ("X1", "X1/1"), ("X2 X1 X3", "X1/3 X2/2 X3/1"),
            ("X5 X6 X7 Y1", "X5/3 X6/2 Y1/1 X7/1"), ("X5 Y4 Z3", "Z3/1 Y4/1 X5/1"),
            ("X- X- X9 Y1 Y2", "X9/3 Y1/2 Y2/1"), ("X- X- X- Y1", "Y1/1"), ("X- Y-", ""),
            ("Y1 Y2 X4 X3", "Y1/2 X3/2 Y2/1 X4/1"),
        ]
    )
    func order(_ places: String, _ expected: String) {
        #expect(given(places) == expected)
    }

    @Test("are given only so far as they were asked for")
    func count() {
        #expect(given("X1 X2 X3 Y1 Y2", count: 2) == "X1/3 Y1/2")
    }

    @Test(
        "are counted by address, in IPv6 by the network that one machine has",
        arguments: [
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
            ("127.0.0.1", "::ffff:127.0.0.1", true), ("2001:db8::1", "2001:db8::ffff:1", true),
            ("2001:db8::1", "2001:db8:0:1::1", false), ("::1", "127.0.0.1", false),
            ("::ffff:127.0.0.1", "::ffff:127.0.0.2", false),
        ]
    )
    func peers(_ one: String, _ other: String, _ isSame: Bool) throws {
        let first = PeerAddress(try SocketAddress(ipAddress: one, port: 1))
        let second = PeerAddress(try SocketAddress(ipAddress: other, port: 2))
        #expect((first == second) == isSame)
    }
}

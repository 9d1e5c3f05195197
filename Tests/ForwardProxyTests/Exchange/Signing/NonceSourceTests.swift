import Testing

@testable import ForwardProxy

@Suite("Nonces")
struct NonceSourceTests {
    private func text(_ nonce: InlineArray<32, UInt8>) -> String {
        String(decoding: nonce.indices.map { nonce[$0] }, as: UTF8.self)
    }

    @Test("No two of a source are equal, and all are 32 hexadecimal digits")
    func areUnique() {
        var generator = SystemRandomNumberGenerator()
        var source = NonceSource(generator: &generator)
        let nonces = (0..<2000).map { _ in text(source.next()) }
        #expect(Set(nonces).count == nonces.count)
        #expect(nonces.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy { "0123456789abcdef".contains($0) } })
    }

    @Test("Two sources share none, even of one seed's neighbours")
    func areUniqueAmongSources() {
        var generator = SystemRandomNumberGenerator()
        var one = NonceSource(generator: &generator)
        var other = NonceSource(generator: &generator)
        let first = Set((0..<500).map { _ in text(one.next()) })
        let second = Set((0..<500).map { _ in text(other.next()) })
        #expect(first.isDisjoint(with: second))
    }

    @Test("Neighbours do not tell how many went before")
    func hidesCounter() {
        struct Zero: RandomNumberGenerator {
            mutating func next() -> UInt64 { 0 }
        }
        var generator = Zero()
        var source = NonceSource(generator: &generator)
        let first = text(source.next()).suffix(16)
        let second = text(source.next()).suffix(16)
        let shared = zip(first, second).count { $0 == $1 }
        #expect(shared < 8)
    }
}

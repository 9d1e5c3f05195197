import Routing
import Testing
import TestSupport
import UpstreamTrust

@testable import LocalAuthority

/// The look-ups, against a plain search through small sets of any names.
@Suite struct SubtreesTests {
    private static let rounds = 2000

    /// Returns names of few labels, so that many are below one another; also such as no host has.
    private static func names(_ count: ClosedRange<Int>, _ numbers: inout SeededGenerator) -> [String] {
        let number = Int.random(in: count, using: &numbers)
        return (0..<number).map { _ in
            let name = numbers.some(0...3, of: ["a", "b", "A", "ab", ""]).joined(separator: ".")
            return Int.random(in: 0..<4, using: &numbers) == 0 ? "." + name : name
        }
    }

    @Test("A name is within a set of subtrees exactly when its last labels are those of one of them")
    func aNameIsInSomeSubtreeWhenItsLastLabelsAreThoseOfOne() {
        var numbers = SeededGenerator(seed: 11)
        var (inside, outside) = (0, 0)
        for _ in 0..<Self.rounds {
            let bases = Self.names(0...4, &numbers)
            let (plain, subtrees) = (bases.map(PlainDNSSubtree.init), DNSSubtrees(bases))
            #expect(subtrees.isEmpty == bases.isEmpty)
            for name in Self.names(5...5, &numbers) {
                let isInside = plain.contains { $0.contains(name) }
                #expect(subtrees.contains(name) == isInside, "\(name) in \(bases)")
                if isInside { inside += 1 } else { outside += 1 }
            }
        }
        #expect(min(inside, outside) > Self.rounds / 2)
    }

    @Test("All or some names below a suffix are within a set of subtrees exactly when they are within one")
    func theNamesBelowASuffixAreInThemAsTheyAreInEachOfThem() {
        var numbers = SeededGenerator(seed: 12)
        var (all, onlySome, none) = (0, 0, 0)
        for _ in 0..<Self.rounds {
            let bases = Self.names(0...4, &numbers)
            let (plain, subtrees) = (bases.map(PlainDNSSubtree.init), DNSSubtrees(bases))
            for suffix in Self.names(5...5, &numbers) {
                let hasAll = plain.contains { $0.containsAll(below: suffix) }
                let hasAny = plain.contains { $0.containsAny(below: suffix) }
                #expect(subtrees.containsAll(below: suffix) == hasAll, "*.\(suffix) in \(bases)")
                #expect(subtrees.containsAny(below: suffix) == hasAny, "*.\(suffix) in \(bases)")
                if hasAll { all += 1 } else if hasAny { onlySome += 1 } else { none += 1 }
            }
        }
        #expect(min(all, onlySome, none) > Self.rounds / 10)
    }

    @Test("A new CA is confined to names of which none is below another")
    func aNewAuthorityIsConfinedToNamesOfWhichNoneIsBelowAnother() throws {
        var numbers = SeededGenerator(seed: 13)
        for _ in 0..<Self.rounds / 4 {
            let patterns = try (0..<Int.random(in: 0...8, using: &numbers)).map { _ in
                let name = (numbers.some(1...3, of: ["a", "b", "ab"]) + ["example"]).joined(separator: ".")
                return try HostPattern(Bool.random(using: &numbers) ? "*.\(name)" : name)
            }
            let names = Set(
                patterns.map { pattern in
                    switch pattern.name {
                    case .exact(let name), .wildcard(let name): name
                    }
                }
            )
            let plain = names.filter { name in
                !names.contains { $0 != name && PlainDNSSubtree($0).contains(name) }
            }
            #expect(AuthorityReach(hosts: patterns).domains == plain.sorted())
        }
    }

    @Test("An address is within a set of ranges exactly when it is within one of them")
    func anAddressIsInSomeRangeWhenItIsInOne() {
        var numbers = SeededGenerator(seed: 14)
        var (inside, outside) = (0, 0)
        for _ in 0..<Self.rounds {
            let ranges = (0..<Int.random(in: 0...4, using: &numbers)).compactMap { _ in
                let base = numbers.some(4...4, of: [0, 1] as [UInt8])
                return AddressSubtree((base + numbers.some(4...4, of: [0, 255, 255] as [UInt8]))[...])
            }
            let subtrees = AddressSubtrees(ranges)
            #expect(subtrees.isEmpty == ranges.isEmpty)
            for _ in 0..<5 {
                let address = numbers.some(4...4, of: [0, 1] as [UInt8])
                let isInside = ranges.contains { $0.contains(address) }
                #expect(subtrees.contains(address) == isInside, "\(address) in \(ranges)")
                if isInside { inside += 1 } else { outside += 1 }
            }
        }
        #expect(min(inside, outside) > Self.rounds / 2)
    }
}

import Bytes
import OAuthSigning

/// Tries all orders of a few parameters, as hash tables and templates have them.
struct OrderSearch: Sendable {
    /// The number of parameters beyond which there are too many orders: 40,320 is what eight have.
    static let most = 8

    let reference: SigningRecipe
    let match: RecipeMatch

    private var test: (([UInt8]) -> Bool)? {
        if case .baseString = match { return nil }
        return match.test(reference)
    }

    /// The number of parameters beyond which no order is tried.
    private static let mostOfAll = 24

    /// The orders that are no other than the right one but for what was put together by itself.
    func searchUsual() -> Deviation? {
        let sorted = reference.orderedParameters
        guard (2...Self.mostOfAll).contains(sorted.count), let isRight = test else { return nil }
        let (pieces, start) = (Self.pieces(sorted), self.start)
        let found = blocks(sorted) + Self.moved(sorted)
        return found.first { isRight(Self.message(start, pieces, $0.places)) }.map { order in
            Deviation(.notSorted, "The other side did not sort all parameters: \(order.words).") {
                $0.order = .places(order.places)
            }
            .of(.order)
        }
    }

    private typealias Order = (places: [Int], words: String)

    /// The protocol's parameters in the order of a template, where the first of them belongs.
    private func blocks(_ sorted: [RecipeParameter]) -> [Order] {
        let own = sorted.indices.filter { sorted[$0].origin == .protocol }
        guard let first = own.first, (2...6).contains(own.count) else { return [] }
        let others = sorted.indices.filter { sorted[$0].origin != .protocol }
        let (before, behind) = (others.filter { $0 < first }, others.filter { $0 > first })
        return DeviationCatalogue.permutations(own).map { block in
            let names = block.map { sorted[$0].nameText }.joined(separator: ", ")
            return (
                before + block + behind,
                "the protocol's stand among the sorted ones in the order of a template (\(names))"
            )
        }
    }

    /// Two parameters that were put before or behind the sorted ones.
    private static func moved(_ sorted: [RecipeParameter]) -> [Order] {
        sorted.indices.flatMap { one in
            sorted.indices.filter { $0 != one }.flatMap { other -> [Order] in
                let rest = sorted.indices.filter { $0 != one && $0 != other }
                let names = "\(sorted[one].nameText) and \(sorted[other].nameText)"
                return [
                    (rest + [one, other], "\(names) were appended behind the sorted ones, in this order"),
                    ([one, other] + rest, "\(names) were put before the sorted ones, in this order"),
                    ([one] + rest + [other], "\(names) were put before and behind the sorted ones"),
                ]
            }
        }
    }

    private static func pieces(_ sorted: [RecipeParameter]) -> [[UInt8]] {
        sorted.map { parameter in
            Escaping().escape(Escaping().escape(parameter.name) + "=".bytes + Escaping().escape(parameter.value))
        }
    }

    /// The base string without parameters.
    private var start: [UInt8] {
        var bare = reference
        bare.parameters = []
        return bare.baseString
    }

    /// - Returns: Nil when no order yields the other side's signature, or there are too many.
    func search() -> Deviation? {
        let sorted = reference.orderedParameters
        guard (2...Self.most).contains(sorted.count), let isRight = test else { return nil }
        let (pieces, start) = (Self.pieces(sorted), self.start)
        var places = Array(pieces.indices)
        guard Self.visit(&places, from: 0, { isRight(Self.message(start, pieces, $0)) }) else { return nil }
        let names = places.map { sorted[$0].nameText }.joined(separator: ", ")
        let order = places
        return Deviation(
            .notSorted,
            "The other side did not sort the parameters: they stand in the order \(names), as a template or a hash table has them."
        ) { $0.order = .places(order) }
        .of(.order)
    }

    private static func message(_ start: [UInt8], _ pieces: [[UInt8]], _ places: [Int]) -> [UInt8] {
        var message = start
        for (index, place) in places.enumerated() {
            if index > 0 { message += "%26".utf8 }
            message += pieces[place]
        }
        return message
    }

    /// Visits the orders of all places from one on, until one of them is the wanted one.
    private static func visit(_ places: inout [Int], from start: Int, _ isWanted: ([Int]) -> Bool) -> Bool {
        if start == places.count { return isWanted(places) }
        for index in start..<places.count {
            places.swapAt(start, index)
            if visit(&places, from: start + 1, isWanted) { return true }
            places.swapAt(start, index)
        }
        return false
    }
}

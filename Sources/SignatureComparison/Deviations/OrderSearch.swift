import Bytes
import OAuthSigning

/// Tries all orders of a few parameters, as hash tables and templates have them.
struct OrderSearch: Sendable {
    /// The number of parameters beyond which there are too many orders: 40,320 is what eight have.
    static let most = 8

    let reference: SigningRecipe
    let match: RecipeMatch

    /// - Returns: Nil when no order yields the other side's signature, or there are too many.
    func search() -> Deviation? {
        let sorted = reference.orderedParameters
        guard (2...Self.most).contains(sorted.count), let isRight = test() else { return nil }
        let pieces = sorted.map { parameter in
            Escaping().escape(Escaping().escape(parameter.name) + "=".bytes + Escaping().escape(parameter.value))
        }
        var bare = reference
        bare.parameters = []
        var places = Array(pieces.indices)
        guard Self.visit(&places, from: 0, { isRight(Self.message(bare.baseString, pieces, $0)) }) else { return nil }
        let names = places.map { sorted[$0].nameText }.joined(separator: ", ")
        let order = places
        return Deviation(
            .notSorted,
            "The other side did not sort the parameters: they stand in the order \(names), as a template or a hash table has them."
        ) { $0.order = .places(order) }
        .of(.order)
    }

    private func test() -> (([UInt8]) -> Bool)? {
        switch match {
        case .baseString, .rsa(nil): return nil
        case .shared(let signature):
            let key = SharedSigningKey(method: reference.signatureMethod, text: reference.key.text)
            return { key?.signature(of: $0[...]) == signature }
        case .rsa(let message?):
            let function = reference.signatureMethod.hashAlgorithm.function
            return { message.holds($0, hashedBy: function) }
        }
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

import Bytes
import OAuthSigning

/// Tries deviations, one and then two at a time, until the other side's signature or base string comes out.
///
/// A text costs its making, and a key next to nothing: so each text is tried with many keys, and with few other texts.
struct DeviationSearch: Sendable {
    let reference: SigningRecipe
    let match: RecipeMatch
    let effort: SearchEffort
    /// The ways to make the signature's bytes otherwise.
    var codes: [SignatureCode] = []
    /// The bytes that one of them has to yield.
    var codeBytes: [UInt8] = []

    /// Deviations that together yield the other side's, and how it signed.
    struct Discovery: Sendable {
        let findings: [ComparisonFinding]
        let recipe: SigningRecipe
        /// Indicates whether the signature's bytes are made otherwise than by the method that goes with their number.
        let hasOtherCode: Bool
    }

    /// Deviations that come to the same for this request.
    private struct Candidate {
        var deviations: [Deviation]
        let isMatch: Bool
        /// The key, for a deviation in it.
        var key: SharedSigningKey?

        /// Indicates whether deviations with the same cause are alternatives too.
        var isOfOneText = false

        /// The number of character sets or changes of a text that are named beside the likeliest.
        private static let mostAlternatives = 4

        var first: Deviation { deviations[0] }

        var finding: ComparisonFinding {
            var finding = first.finding
            // The same cause in another spelling or place is no alternative; another character set is.
            for other in deviations.dropFirst().map(\.finding)
            where ([finding] + finding.alternatives).allSatisfy({ $0.cause != other.cause })
                || (isOfOneText || other.cause == .characterSet) && other.sentence.hasPrefix("The other side")
                    && finding.alternatives.count < Self.mostAlternatives
                    && ([finding] + finding.alternatives).allSatisfy({ $0.sentence != other.sentence })
            {
                finding.alternatives.append(other)
            }
            return finding
        }
    }

    /// The work of putting a text together, whatever its length, as the number of bytes that are signed meanwhile.
    private static let textWork = 384
    /// The same for a key.
    private static let keyWork = 256
    /// The work of putting one parameter into its place, as the number of bytes that are signed meanwhile.
    private static let parameterWork = 16
    /// The causes that come together even with rare ones.
    private static let frequent: Set<ComparisonCause> = [
        .formNotSigned, .formCharset, .queryNotSigned, .scheme, .plusForSpace, .doubleEncoding, .lowercaseHex,
        .hostLabel,
        .trailingSlash, .emptyParameterDropped, .formEncoding,
    ]

    /// - Parameter catalogue: The deviations, the likelier ones first; where several yield the same, the first of them
    ///   is named.
    /// - Returns: Nil when none of them, and (for a base string that is not huge) no two, yield the other side's.
    func search(_ catalogue: DeviationCatalogue) -> Discovery? {
        var work = effort.pairs
        let keys = keyCandidates(catalogue)
        if let found = keys.first(where: \.isMatch) { return discovery([found]) }
        if reference.signatureMethod == .plaintext, case .shared = match {
            return guessKey(of: catalogue) ?? keyPair(keys.filter { !$0.first.isAlone }, &work)
        }

        var known: [RecipeTrace: Int] = [RecipeTrace(reference.message): -1]
        var texts: [Candidate] = []
        let all = catalogue.texts
        // These are tried however large the request is.
        var unlimited = Int.max
        add(all.filter { !$0.isRare }, to: &texts, &known, &unlimited)
        if let found = texts.first(where: \.isMatch) { return discovery([found]) }
        add(all.filter(\.isRare), to: &texts, &known, &work)
        if let found = texts.first(where: \.isMatch) { return discovery([found]) }
        if let found = code(texts, keys, &work) { return found }
        let count = texts.count
        add(catalogue.single, to: &texts, &known, &work)
        if let found = texts.first(where: \.isMatch) { return discovery([found]) }
        texts.removeLast(texts.count - count)
        if let found = guess(catalogue) ?? guessKey(of: catalogue) { return found }
        let pairable = keys.filter { !$0.first.isAlone }
        return keyPair(pairable, &work) ?? textAndKey(texts, pairable, &work) ?? textPair(texts, &work)
            ?? order() ?? typing()
    }

    private func discovery(_ candidates: [Candidate], _ code: SignatureCode? = nil) -> Discovery {
        let candidates = narrowed(candidates)
        return Discovery(
            findings: candidates.map(\.finding) + (code.map { [$0.finding] } ?? []),
            recipe: recipe(candidates),
            hasOtherCode: code != nil
        )
    }

    /// Returns two that come together without the alternatives that yield the other side's by themselves alone.
    private func narrowed(_ candidates: [Candidate]) -> [Candidate] {
        guard candidates.count == 2 else { return candidates }
        var narrowed = candidates
        for index in candidates.indices {
            var one = candidates[index]
            one.deviations = candidates[index].deviations.enumerated().filter { place, deviation in
                if place == 0 { return true }
                one.deviations = [deviation]
                return match.matches(recipe(index == 0 ? [one, candidates[1]] : [candidates[0], one]))
            }
            .map(\.element)
            narrowed[index] = one
        }
        return narrowed
    }

    /// Returns the recipe with the deviations: what a signer reads is changed before what it writes.
    private func recipe(_ candidates: [Candidate]) -> SigningRecipe {
        var recipe = reference
        for candidate in candidates.sorted(by: { $0.first.group < $1.first.group }) { candidate.first.change(&recipe) }
        return recipe
    }

    private func work(of message: [UInt8]) -> Int {
        Self.textWork + message.count + Self.parameterWork * (reference.parameters.count + 1)
    }
}

// One deviation.
extension DeviationSearch {
    /// Adds deviations without those that change nothing here, while there is work left to do.
    private func add(
        _ deviations: [Deviation],
        to candidates: inout [Candidate],
        _ known: inout [RecipeTrace: Int],
        _ rest: inout Int
    ) {
        for deviation in deviations {
            guard rest > 0 else { return }
            var recipe = reference
            deviation.change(&recipe)
            let message = recipe.message
            rest -= work(of: message)
            let trace = RecipeTrace(message)
            switch known[trace] {
            case nil:
                known[trace] = candidates.count
                candidates.append(Candidate(deviations: [deviation], isMatch: match.matches(message, signedAs: recipe)))
            case let index? where index >= 0: candidates[index].deviations.append(deviation)
            default: break
            }
        }
    }

    /// Tries what is seldom done. That is much, so that nothing of it is kept but what yields the other side's: all of
    /// it that does.
    private func guess(_ catalogue: DeviationCatalogue) -> Discovery? {
        guard let isRight = match.test(reference) else { return nil }
        var work = effort.guesses
        var found: [Deviation] = []
        for deviation in catalogue.guesses {
            guard work > 0 else { break }
            var recipe = reference
            deviation.change(&recipe)
            let message = recipe.message
            work -= self.work(of: message)
            if isRight(message) { found.append(deviation) }
        }
        return found.isEmpty ? nil : discovery([Candidate(deviations: found, isMatch: true, isOfOneText: true)])
    }

    private func guessKey(of catalogue: DeviationCatalogue) -> Discovery? {
        guessKey(catalogue.lineGuesses, limit: effort.lines)
            ?? guessKey(catalogue.keyGuesses, limit: effort.guesses)
    }

    private func guessKey(_ deviations: [Deviation], limit: Int) -> Discovery? {
        guard case .shared = match else { return nil }
        let message = reference.message
        var work = limit
        let found = deviations.filter { deviation in
            work -= Self.keyWork + message.count
            guard work > 0 else { return false }
            var recipe = reference
            deviation.change(&recipe)
            return match.matches(message, signedAs: recipe)
        }
        return found.isEmpty ? nil : discovery([Candidate(deviations: found, isMatch: true, isOfOneText: true)])
    }

    private func keyCandidates(_ catalogue: DeviationCatalogue) -> [Candidate] {
        guard case .shared(let signature) = match else { return [] }
        let message = reference.message
        var known: [RecipeTrace: Int] = [RecipeTrace(reference.key.text): -1]
        var candidates: [Candidate] = []
        for deviation in catalogue.keys {
            var recipe = reference
            deviation.change(&recipe)
            let text = recipe.key.text
            let trace = RecipeTrace(text)
            switch known[trace] {
            case nil:
                known[trace] = candidates.count
                let key = SharedSigningKey(method: reference.signatureMethod, text: text)
                let isMatch = key?.signature(of: message[...]) == signature
                candidates.append(Candidate(deviations: [deviation], isMatch: isMatch, key: key))
            case let index? where index >= 0: candidates[index].deviations.append(deviation)
            default: break
            }
        }
        return candidates
    }
}

// Two deviations.
extension DeviationSearch {
    private func keyPair(_ keys: [Candidate], _ work: inout Int) -> Discovery? {
        guard case .shared(let signature) = match else { return nil }
        let message = reference.message
        for (index, one) in keys.enumerated() {
            for other in keys[(index + 1)...]
            where !(one.first.isRare && other.first.isRare) && one.first.group.combines(with: other.first.group) {
                guard work > 0 else { return nil }
                work -= 128 + message.count / 4
                let key = SharedSigningKey(method: reference.signatureMethod, text: recipe([one, other]).key.text)
                guard key?.signature(of: message[...]) == signature else { continue }
                var found = other
                // In a key that lacks its & a secret may end where the other begins.
                for another in keys
                where another.first.cause != other.first.cause && another.first.group != one.first.group {
                    let key = recipe([one, another]).key.text
                    if key == recipe([one, other]).key.text { found.deviations += another.deviations }
                }
                return discovery([one, found])
            }
        }
        return nil
    }

    private func textAndKey(_ texts: [Candidate], _ keys: [Candidate], _ work: inout Int) -> Discovery? {
        guard case .shared(let signature) = match else { return nil }
        for text in texts {
            let message = recipe([text]).message
            work -= self.work(of: message)
            for key in keys where !(text.first.isRare && key.first.isRare) {
                guard work > 0 else { return nil }
                work -= 64 + message.count / 8
                if key.key?.signature(of: message[...]) == signature { return discovery([text, key]) }
            }
        }
        return nil
    }

    private func code(_ texts: [Candidate], _ keys: [Candidate], _ work: inout Int) -> Discovery? {
        if codes.isEmpty { return nil }
        let key = reference.key.text.withBytes { $0.array }
        let message = reference.message
        for code in codes where code.bytes(key, message) == codeBytes { return discovery([], code) }
        for text in texts where !text.first.isRare {
            let message = recipe([text]).message
            work -= self.work(of: message)
            for code in codes {
                guard work > 0 else { return nil }
                work -= 128 + message.count / 4
                if code.bytes(key, message) == codeBytes { return discovery([text], code) }
            }
        }
        for candidate in keys where !candidate.first.isRare {
            let key = recipe([candidate]).key.text.withBytes { $0.array }
            for code in codes {
                guard work > 0 else { return nil }
                work -= 128 + message.count / 4
                if code.bytes(key, message) == codeBytes { return discovery([candidate], code) }
            }
        }
        return nil
    }

    private func textPair(_ texts: [Candidate], _ work: inout Int) -> Discovery? {
        for (index, one) in texts.enumerated() {
            for other in texts[(index + 1)...] where areTriedTogether(one.first, other.first) {
                guard work > 0 else { return nil }
                let recipe = recipe([one, other])
                let message = recipe.message
                work -= self.work(of: message)
                if match.matches(message, signedAs: recipe) { return discovery([one, other]) }
            }
        }
        return nil
    }

    private func order() -> Discovery? {
        let (search, count) = (OrderSearch(reference: reference, match: match), reference.message.count)
        // It is a stranger's, perhaps: tens of thousands of large ones are not signed.
        guard
            let deviation = (count < 1 << 12 ? search.searchUsual() : nil) ?? (count < 1 << 10 ? search.search() : nil)
        else { return nil }
        return discovery([Candidate(deviations: [deviation], isMatch: true)])
    }

    private func typing() -> Discovery? {
        guard case .shared(let signature) = match, reference.message.count < 1 << 12,
            let deviation = TypingSearch(reference: reference, signature: signature).search()
        else { return nil }
        return discovery([Candidate(deviations: [deviation], isMatch: true)])
    }

    private func areTriedTogether(_ one: Deviation, _ other: Deviation) -> Bool {
        guard one.group.combines(with: other.group) else { return false }
        switch (one.isRare, other.isRare) {
        case (false, false): return true
        case (true, true): return false
        case (true, false): return Self.frequent.contains(other.cause)
        case (false, true): return Self.frequent.contains(one.cause)
        }
    }
}

import Bytes
import OAuthSigning

/// A text of a signed request that something may have happened to.
struct TextPlace: Sendable {
    /// The words behind "The other side signed".
    let words: String
    /// The names under which a template or a program may know it.
    let names: [String]
    /// The cause, where it is not that of the change.
    let cause: ComparisonCause?
    /// The texts, one for each parameter that it is about.
    let texts: [String]
    /// Puts others there.
    let change: @Sendable (inout SigningRecipe, (String) -> String) -> Void

    /// All changes that make another text of it, each of them once.
    var deviations: [Deviation] {
        var tried: Set<[String]> = [texts]
        let changes = TextChange.all + names.flatMap { TextChange.placeholders(named: $0) }
        return changes.compactMap { change in
            // Another that comes to the same has the same sign to be known by.
            guard tried.insert(texts.map(change.change)).inserted else { return nil }
            return Deviation(cause ?? change.cause, "The other side signed \(words) \(change.words).") { recipe in
                self.change(&recipe, change.change)
            }
            .of(.values, isRare: true, isAlone: true)
        }
    }
}

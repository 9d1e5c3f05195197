/// The amount that is signed in search of what the other side did: the request may be a stranger's.
package struct SearchEffort: Sendable {
    /// The number of bytes signed in search of two deviations, or of one in a long list.
    let pairs: Int
    /// The same for what is seldom done, and tried with no other: of texts, and of keys.
    let guesses: Int
    /// The same for secrets with the names of their variables.
    let lines: Int

    /// A second's work.
    package static let full = SearchEffort(pairs: 40 << 20, guesses: 6 << 20, lines: 2 << 20)
    /// The effort that is enough to meet each kind of deviation, for many requests.
    package static let small = SearchEffort(pairs: 1 << 19, guesses: 1 << 18, lines: 1 << 18)
}

import Bytes
import OAuthSigning

/// Tries secrets with one character that is wrong, missing, doubled, added or exchanged with its neighbour.
struct TypingSearch: Sendable {
    /// The length of a secret beyond which nobody types it.
    private static let longest = 64
    private static let characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".bytes

    let reference: SigningRecipe
    let signature: [UInt8]

    /// - Returns: Nil when no such secret yields the signature.
    func search() -> Deviation? {
        let message = reference.message
        let places: [(any WritableKeyPath<SigningRecipe, Secret?> & Sendable, String)] = [
            (\.key.secrets.first, "consumer secret"), (\.key.secrets.second, "token secret"),
        ]
        for (place, name) in places {
            guard let secret = reference[keyPath: place]?.withBytes({ $0.array }),
                (4...Self.longest).contains(secret.count)
            else { continue }
            var recipe = reference
            for (words, changed) in Self.slips(of: secret) {
                let other = Secret(bytes: changed)
                recipe[keyPath: place] = other
                guard reference.signatureMethod.signature(of: message[...], sharedKey: recipe.key.text) == signature
                else { continue }
                return Deviation(.secretSpelling, "The other side's \(name) was mistyped: \(words).") {
                    $0[keyPath: place] = other
                }
            }
        }
        return nil
    }

    /// The place is told, and not what stands there.
    private static func slips(of secret: [UInt8]) -> some Sequence<(String, [UInt8])> {
        secret.indices.lazy.flatMap { index -> [(String, [UInt8])] in
            let place = "its character \(index + 1)"
            let (before, behind) = (secret[..<index], secret[(index + 1)...])
            var slips = [
                ("\(place) is missing", Array(before + behind)),
                ("\(place) is doubled (twice)", Array(before + [secret[index], secret[index]] + behind)),
            ]
            if let next = behind.first {
                slips.append(
                    (
                        "\(place) and the next are exchanged (transposed)",
                        Array(before + [next, secret[index]] + behind.dropFirst())
                    )
                )
            }
            slips += characters.map { ("\(place) is another one", Array(before + [$0] + behind)) }
            slips += characters.map {
                ("there is one character too many before \(place)", Array(before + [$0, secret[index]] + behind))
            }
            return slips
        }
    }
}

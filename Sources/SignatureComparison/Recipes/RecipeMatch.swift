import Bytes
import Crypto
import OAuthSigning

/// The result that a recipe must have, to be the other side's.
enum RecipeMatch: Sendable {
    /// A base string that is known.
    case baseString([UInt8])
    /// A signature in Base64, or the key of PLAINTEXT, made with shared secrets.
    case shared([UInt8])
    /// An RSA signature, seen with the public key; nil for what can be none of that key by its length.
    case rsa(RSAEncodedMessage?)

    func matches(_ recipe: SigningRecipe) -> Bool {
        matches(recipe.message, signedAs: recipe)
    }

    /// - Parameters:
    ///   - message: The bytes that are signed.
    ///   - recipe: The way in which they are signed.
    func matches(_ message: [UInt8], signedAs recipe: SigningRecipe) -> Bool {
        switch self {
        case .baseString(let bytes): return message == bytes
        case .shared(let signature):
            return recipe.signatureMethod.signature(of: message[...], sharedKey: recipe.key.text) == signature
        case .rsa(let encoded):
            return encoded?.holds(message, hashedBy: recipe.signatureMethod.hashAlgorithm.function) ?? false
        }
    }

    /// Returns a faster test of many messages that are signed with the key of one recipe; nil where none can match.
    func test(_ recipe: SigningRecipe) -> (([UInt8]) -> Bool)? {
        switch self {
        case .baseString(let bytes): return { $0 == bytes }
        case .shared(let signature):
            let key = SharedSigningKey(method: recipe.signatureMethod, text: recipe.key.text)
            return { key?.signature(of: $0[...]) == signature }
        case .rsa(let encoded):
            guard let encoded else { return nil }
            let function = recipe.signatureMethod.hashAlgorithm.function
            return { encoded.holds($0, hashedBy: function) }
        }
    }

    /// Returns the signature of a recipe, where that may be shown: not the key that PLAINTEXT sends.
    func signature(of recipe: SigningRecipe) -> String? {
        guard case .shared = self, recipe.signatureMethod != .plaintext else { return nil }
        return recipe.signatureMethod.signature(of: recipe.message[...], sharedKey: recipe.key.text)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// All of a recipe that matters: those with the same trace cannot be told apart.
struct RecipeTrace: Hashable {
    /// A SHA-256: base strings may be long, and many traces are kept. A few numbers are compared faster than a digest.
    private let words: [UInt64]

    init(_ bytes: [UInt8]) {
        let digest = Array(SHA256.hash(data: bytes))
        words = stride(from: 0, to: digest.count, by: 8).map { start in
            digest[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    init(_ key: Secret) { self.init(key.withBytes { $0.array }) }
}

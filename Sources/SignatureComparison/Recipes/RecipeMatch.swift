import Crypto
import OAuthSigning

/// The result that a recipe must have, to be the other side's.
enum RecipeMatch: Sendable {
    /// A base string that is known.
    case baseString([UInt8])
    /// A signature in Base64, or the key of PLAINTEXT, made with shared secrets.
    case shared([UInt8])
    /// A signature that a public key verifies.
    case verified([UInt8], RSAVerificationKey)

    func matches(_ recipe: SigningRecipe) -> Bool {
        switch self {
        case .baseString(let bytes): return recipe.baseString == bytes
        case .shared(let signature):
            return recipe.sharedSignature == signature
        case .verified(let signature, let key):
            let digest = recipe.signatureMethod.hashAlgorithm
            return key.isValid(signature: signature, of: recipe.baseString[...], digest: digest)
        }
    }

    /// Returns the signature of a recipe, where that may be shown: not the key that PLAINTEXT sends.
    func signature(of recipe: SigningRecipe) -> String? {
        guard case .shared = self, recipe.signatureMethod != .plaintext, let signature = recipe.sharedSignature else {
            return nil
        }
        return String(decoding: signature, as: UTF8.self)
    }

    /// All of a recipe that matters here: recipes with the same trace cannot be told apart.
    func trace(of recipe: SigningRecipe) -> Trace {
        switch self {
        case .shared where recipe.signatureMethod == .plaintext: Trace(baseString: [], key: recipe.key.text)
        case .shared: Trace(baseString: recipe.baseString, key: recipe.key.text)
        case .baseString, .verified: Trace(baseString: recipe.baseString, key: nil)
        }
    }

    struct Trace: Equatable {
        /// Base strings may be long, and many traces are kept.
        private let digest: SHA256.Digest
        private let key: Secret?

        init(baseString: [UInt8], key: Secret?) {
            digest = SHA256.hash(data: baseString)
            self.key = key
        }
    }
}

extension SigningRecipe {
    /// Nil for the RSA methods.
    fileprivate var sharedSignature: [UInt8]? {
        signatureMethod.signature(of: baseString[...], sharedKey: key.text)
    }
}

import Bytes

/// A signing key for a person's eyes: enough to tell two keys apart by, and nothing of a secret that is short enough
/// to guess.
package enum MaskedKey {
    package static func text(clientSecret: Secret, tokenSecret: Secret?) -> String {
        mask(clientSecret) + "&" + (tokenSecret.map(mask) ?? "")
    }

    private static func mask(_ secret: Secret) -> String {
        if secret.isEmpty { return "" }
        return secret.withBytes { bytes in
            guard bytes.count >= 12 else { return "…" }
            let shown = bytes.extracting(first: 2).array
            return shown.allSatisfy(PercentEncoding.isUnreserved) ? String(decoding: shown, as: UTF8.self) + "…" : "…"
        }
    }
}

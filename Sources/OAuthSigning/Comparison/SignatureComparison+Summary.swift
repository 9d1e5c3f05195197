extension SignatureComparison {
    /// The outcome in a sentence or two; the findings are told apart from it.
    package var summary: String {
        switch (verdict, subject) {
        case (.same, .signature):
            "The same signature: ours with the other side's nonce and timestamp is the one that it sent."
        case (.same, .key): "The same key, which PLAINTEXT sends in place of a signature."
        case (.same, .baseString):
            "The same base string. Where the signatures differ all the same, the keys do: compare the secrets."
        case (.otherParameters, .baseString):
            "The other side's base string is right for its parameters of the protocol, but these differ from ours."
        case (.otherParameters, _):
            "The other side's signature is right for what it sent, but what it sent is not what it should be."
        case (.explained, .signature): "The signatures part. The other side's comes out when this is done:"
        case (.explained, .key): "The keys part. The other side's comes out when this is done:"
        case (.explained, .baseString): "The base strings part. The other side's comes out when this is done:"
        case (.unexplained, .signature):
            "The signatures part, and no deviation that was tried yields the other side's: it has "
                + "other secrets, or another URL, body or Content-Type than given here, or does what is not known here."
        case (.unexplained, .key):
            "The keys part, and no deviation that was tried yields the other side's: it has other secrets."
        case (.unexplained, .baseString):
            "The base strings part, and no deviation that was tried yields the other side's."
        case (.unknown, _):
            "Without the secrets (for RSA: without a key) no signature can be made or verified; only what was sent is "
                + "compared."
        }
    }
}

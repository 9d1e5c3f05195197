/// The decisions on chains without pins (mode none).
enum ChainTable {
    typealias Row = DecisionRow

    static let whole = below("leaf")
    static let crossed = whole + ["root by other root"]

    /// The chain of a leaf that intermediate 2 signed.
    static func below(_ leaf: String) -> [String] { [leaf, "intermediate 2", "intermediate 1"] }

    static let versionOne = ["leaf by a root of version 1"]

    static let rows = paths + dates + misfits + profiles

    static let paths = [
        Row("root, two intermediates, leaf", whole, .accepted),
        Row("the root presented too", whole + ["root"], .path(whole + ["root"])),
        Row("out of order", ["leaf", "root", "intermediate 1", "intermediate 2"], .path(whole + ["root"])),
        Row("duplicates", ["leaf", "leaf", "intermediate 2"] + whole, .path(whole + ["root"])),
        Row("an unrelated one among them", ["leaf", "unrelated"] + whole, .path(whole + ["root"])),
        Row("a leaf by the root", ["leaf by root"], .accepted),
        Row("a trusted intermediate", below("leaf").dropLast(), trusted: ["intermediate 1"], .accepted),
        Row("cross-signed, the other root trusted", crossed, trusted: ["other root"], .accepted),
        Row("both roots trusted", crossed, trusted: ["other root", "root"], .path(whole + ["root"])),
        Row("roots of each other", crossed + ["other root by root"], trusted: ["unrelated"], untrusted),
        Row("a forgery beside the real one", ["leaf", forged] + whole, .path(whole + ["root"])),
        Row("the forgery alone", ["leaf", forged, "intermediate 1"], .refused("wrong_signature")),
        Row("a missing intermediate", ["leaf", "intermediate 1"], .refused("missing_issuer")),
        Row("the leaf alone", ["leaf"], .refused("missing_issuer")),
        Row("an unknown root, not presented", whole, trusted: ["other root"], .refused("missing_issuer")),
        Row("an unknown root, presented", whole + ["root"], trusted: ["other root"], untrusted),
        Row("no roots at all", whole, trusted: [], .refused("missing_issuer")),
        Row("nothing presented", [], .refused("no_certificate")),
        Row("self-signed", ["self-signed"], .refused("self_signed")),
        Row("self-signed, trusted, no CA", ["self-signed"], trusted: ["self-signed"], .refused("leaf_is_no_root")),
        Row("self-signed, trusted, a CA", selfSigned, trusted: selfSigned, .path(selfSigned)),
        Row("the root first", ["root", "leaf by root"], .refused("wrong_hostname")),
    ]

    static let dates = [
        Row("an expired leaf", below("leaf, expired"), .refused("expired")),
        Row("a leaf not yet valid", below("leaf, not yet valid"), .refused("not_yet_valid")),
        Row("an expired intermediate", ["leaf", old, "intermediate 1"], .refused("expired")),
        Row("an intermediate not yet valid", ["leaf", early, "intermediate 1"], .refused("not_yet_valid")),
        Row("an expired intermediate and its renewal", ["leaf", old] + whole, .path(whole + ["root"])),
        Row("an expired root", ["leaf by old root"], trusted: ["old root"], .refused("expired")),
        Row("expired, names off", below("leaf, expired"), verifiesHostname: false, .refused("expired")),
    ]

    static let misfits = [
        Row("a CA of version 1", ["leaf by version 1", "version 1"] + whole.dropFirst(), .refused("not_an_authority")),
        Row("a root of version 1", versionOne, trusted: ["root of version 1"], .accepted),
        Row("signed by a leaf", ["leaf below a leaf"] + whole, .refused("not_an_authority")),
        Row("a CA that may not sign", ["leaf by no signing", "intermediate, no signing"], purpose),
        Row("a CA that may sign revocation lists alone", ["leaf by lists", "intermediate for lists"], purpose),
        Row("key usage with zero bits to spare", ["leaf by loose", "intermediate, loose"], .accepted),
        Row("a path longer than allowed", deep, .refused("path_too_long")),
        Row("a CA for mail", ["leaf by mail", "intermediate for mail"], purpose),
        Row("a leaf for clients", below("leaf for clients"), purpose),
        Row("a leaf for any purpose", below("leaf for anything"), .accepted),
        Row("a leaf that names no purpose", below("leaf without purpose"), .accepted),
        Row("a critical purpose", below("leaf, critical purpose"), .accepted),
        Row("a leaf that is an authority", below("leaf, an authority"), .refused("authority_as_server")),
        Row("a leaf that is one and trusted", trustedLeaf, trusted: trustedLeaf, .path(trustedLeaf)),
        Row("a leaf that is one for want of a key usage", below("leaf, an authority by default"), .accepted),
        Row("a leaf that may sign", below("leaf that may sign"), flawed),
        Row("a leaf with name constraints", below("leaf with constraints"), flawed),
        Row("no subject, and names not critical", below("leaf, empty subject, names not critical"), flawed),
        Row("an unknown critical extension", below("leaf, unknown extension"), unknownExtension),
        Row("outside of name constraints", confined, .refused("name_constraints")),
        Row("within name constraints", ["leaf by allowed", "intermediate, allowed"], .accepted),
        Row("signed with SHA-1", ["leaf, SHA-1", "intermediate, RSA"], .refused("weak_signature")),
        Row("a CA signed with SHA-1", weakIntermediate, trusted: ["root, SHA-1"], .refused("weak_signature")),
        Row("a root signed with SHA-1", ["leaf by SHA-1 root"], trusted: ["root, SHA-1"], .accepted),
        Row("RSA and SHA-256", ["leaf, SHA-256 with RSA", "intermediate, RSA"], .accepted),
        Row("an RSA key of 1024 bits", ["openssl rsa-1024"], trusted: ["openssl root"], .refused("weak_key")),
        Row("a CA with 1024 bits", ["leaf", "openssl rsa-1024"], .refused("weak_key")),
        Row("a key of DSA", ["openssl dsa"], trusted: ["openssl root"], .refused("unreadable_certificate")),
    ]

    static let profiles =
        ["basic constraints", "name constraints", "policy constraints", "any policy"].flatMap { kind in
            let chain = ["leaf by uncritical \(kind)", "uncritical \(kind)"]
            return [
                Row("an authority whose \(kind) is not critical", chain, flawed),
                Row("the same (\(kind)), trusted itself", [chain[0]], trusted: [chain[1]], .accepted),
            ]
        } + [
            Row("a root with nothing critical", ["leaf by root, not critical"], trusted: [looseRoot], .accepted),
            Row("an empty key identifier", ["leaf, empty key identifier"], flawed),
            Row("an issuer without its serial number", ["leaf, issuer alone"], flawed),
            Row("a serial number without its issuer", ["leaf, serial number alone"], flawed),
            Row("a serial number and no names", ["leaf, no issuer"], flawed),
            Row("an issuer with its serial number", ["leaf, issuer and serial number"], .accepted),
            Row("an authority key identifier with nothing", ["leaf, nothing"], .accepted),
        ]

    private static let untrusted = Row.Expectation.refused("untrusted_root")
    private static let flawed = Row.Expectation.refused("flawed_certificate")
    private static let looseRoot = "root, not critical"
    private static let trustedLeaf = ["leaf, an authority"]
    private static let purpose = Row.Expectation.refused("wrong_purpose")
    private static let unknownExtension = Row.Expectation.refused("unknown_critical_extension")
    private static let forged = "intermediate 2, forged"
    private static let old = "intermediate 2, expired"
    private static let early = "intermediate 2, not yet valid"
    private static let deep = ["leaf too deep", "intermediate below short", "intermediate, short"]
    private static let confined = ["leaf by confined", "intermediate, confined"]
    private static let weakIntermediate = ["leaf by SHA-1 intermediate", "intermediate, SHA-1"]
    private static let selfSigned = ["self-signed authority"]
}

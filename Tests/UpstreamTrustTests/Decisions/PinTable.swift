import UpstreamTrust

/// The decisions on pins: mode by place on the path, by what a failure comes to, by expiry.
enum PinTable {
    typealias Row = DecisionRow

    /// The whole chain, for rows of one line.
    private static let whole = ChainTable.whole
    private static let missed = Row.Expectation.refused("no_pin_matched")
    private static let told = Row.Expectation.reported("no_pin_matched")

    static let rows = keys + certificates + positions + otherPaths + reports + expired

    private static let keys = [
        Row("key of the leaf", whole, .key("unrelated", "leaf"), .accepted),
        Row("key of intermediate 2", whole, .key("unrelated", lower), .accepted),
        Row("key of intermediate 1", whole, .key("unrelated", upper), .accepted),
        Row("key of the root", whole, .key("unrelated", "root"), .accepted),
        Row("key of none", whole, .key("unrelated", "other root"), missed),
        Row("no key at all", whole, .key(), missed),
        Row("key of one beside the path", whole + ["unrelated"], .key("unrelated"), missed),
        Row("key of a leaf put beside the path", whole + ["leaf by root"], .key("leaf by root"), missed),
        Row("key of a renewed leaf", below("leaf, renewed"), .key("leaf"), .accepted),
        Row("key of the leaf, for another host", other, .key(otherLeaf), wrongName),
        Row("key of an expired leaf", old, .key("leaf, expired"), .refused("expired")),
        Row("key of a self-signed leaf", ["self-signed"], .key("self-signed"), isSelfSigned),
        Row("key of a root that is not trusted", whole + ["root"], trusted: stranger, .key("root"), untrusted),
        Row("key missed, outside of name constraints", confined, .key("unrelated"), isConfined),
        Row("key missed, wrong name, names off", other, verifiesHostname: false, .key("leaf"), missed),
        Row("key, wrong name, names off", other, verifiesHostname: false, .key(otherLeaf), .accepted),
        Row("key of a leaf for clients", client, .key("leaf for clients"), purpose),
    ]

    private static let certificates = [
        Row("certificate of the leaf", whole, .certificate("unrelated", "leaf"), .accepted),
        Row("certificate of intermediate 2", whole, .certificate("unrelated", lower), .accepted),
        Row("certificate of intermediate 1", whole, .certificate("unrelated", upper), .accepted),
        Row("certificate of the root", whole, .certificate("unrelated", "root"), .accepted),
        Row("certificate of none", whole, .certificate("unrelated", "other root"), missed),
        Row("no certificate at all", whole, .certificate(), missed),
        Row("certificate beside the path", whole + ["unrelated"], .certificate("unrelated"), missed),
        Row("certificate of a renewed leaf", below("leaf, renewed"), .certificate("leaf"), missed),
        Row("certificate, another host", other, .certificate(otherLeaf), wrongName),
        Row("certificate, expired", old, .certificate("leaf, expired"), .refused("expired")),
        Row("certificate, self-signed", ["self-signed"], .certificate("self-signed"), isSelfSigned),
        Row("certificate, no trusted root", whole + ["root"], trusted: stranger, .certificate("leaf"), untrusted),
        Row("certificate missed, confined", confined, .certificate("unrelated"), isConfined),
    ]

    private static let positions = [
        Row("leaf key at leaf", whole, .key("leaf", at: .leaf), .accepted),
        Row("leaf key at intermediate", whole, .key("leaf", at: .between), missed),
        Row("leaf key at root", whole, .key("leaf", at: .root), missed),
        Row("intermediate key at leaf", whole, .key(lower, at: .leaf), missed),
        Row("lower intermediate key between", whole, .key(lower, at: .between), .accepted),
        Row("upper intermediate key between", whole, .key(upper, at: .between), .accepted),
        Row("intermediate key at root", whole, .key(upper, at: .root), missed),
        Row("root key at leaf", whole, .key("root", at: .leaf), missed),
        Row("root key at intermediate", whole, .key("root", at: .between), missed),
        Row("root key at root", whole, .key("root", at: .root), .accepted),
        Row("leaf certificate at leaf", whole, .certificate("leaf", at: .leaf), .accepted),
        Row("leaf certificate at intermediate", whole, .certificate("leaf", at: .between), missed),
        Row("leaf certificate at root", whole, .certificate("leaf", at: .root), missed),
        Row("intermediate certificate at leaf", whole, .certificate(lower, at: .leaf), missed),
        Row("intermediate certificate at its place", whole, .certificate(lower, at: .between), .accepted),
        Row("intermediate certificate at root", whole, .certificate(upper, at: .root), missed),
        Row("root certificate at intermediate", whole, .certificate("root", at: .between), missed),
        Row("root certificate at root", whole, .certificate("root", at: .root), .accepted),
        Row("no intermediate there", ["leaf by root"], .key("leaf by root", "root", at: .between), missed),
        Row("trusted intermediate at root", short, trusted: [upper], .key(upper, at: .root), .accepted),
        Row("trusted intermediate not between", short, trusted: [upper], .key(upper, at: .between), missed),
        Row("one certificate, at leaf", single, trusted: single, .key(own, at: .leaf), .path(single)),
        Row("one certificate, at root", single, trusted: single, .certificate(own, at: .root), .path(single)),
        Row("one certificate, at intermediate", single, trusted: single, .key(own, at: .between), missed),
    ]

    private static let otherPaths = [
        Row("key of a root that the path does not need", whole + ["other root", bridge], .key("other root"), missed),
        Row("key of the other root: longer path", crossed, trusted: both, .key("other root"), longer),
        Row("certificate of the other root: likewise", crossed, trusted: both, .certificate("other root"), longer),
        Row("key of the other root at root", crossed, trusted: both, .key("other root", at: .root), longer),
        Row("certificate of the bridge between", crossed, trusted: both, .certificate(bridge, at: .between), longer),
        Row("key of the crossed root at intermediate", crossed, trusted: both, .key("root", at: .between), longer),
        Row("key of the root at root: the shorter path", crossed, trusted: both, .key("root", at: .root), shorter),
        Row("certificate of a root seen cross-signed", crossed, trusted: ["other root"], .certificate("root"), missed),
        Row("key of a root seen cross-signed", crossed, trusted: ["other root"], .key("root"), longer),
        Row("report, key of the other root", crossed, trusted: both, .key("other root", on: .report), longer),
    ]

    private static let reports = [
        Row("report, key on the path", whole, .key("root", on: .report), .accepted),
        Row("report, certificate on the path", whole, .certificate("root", on: .report), .accepted),
        Row("report, no such key", whole, .key("unrelated", on: .report), told),
        Row("report, no such certificate", whole, .certificate("unrelated", on: .report), told),
        Row("report, no pins", whole, .key(on: .report), told),
        Row("report, key at another place", whole, .key("root", at: .leaf, on: .report), told),
        Row("report, certificate at another place", whole, .certificate("leaf", at: .root, on: .report), told),
        Row("report, key beside the path", whole + ["unrelated"], .key("unrelated", on: .report), told),
        Row("report, expired leaf", old, .key("unrelated", on: .report), .refused("expired")),
        Row("report, wrong name", other, .key("unrelated", on: .report), wrongName),
        Row("report, untrusted root", whole + ["root"], trusted: stranger, .key("leaf", on: .report), untrusted),
        Row("report, self-signed", ["self-signed"], .certificate("self-signed", on: .report), isSelfSigned),
        Row("report, name constraints", confined, .certificate("unrelated", on: .report), isConfined),
    ]

    private static let expired = [
        Row("expired and refused, key", whole, .key("unrelated", expired: .refuse), missed),
        Row("expired and refused, certificate", whole, .certificate("unrelated", expired: .refuse), missed),
        Row("expired and refused, key on the path", whole, .key("leaf", expired: .refuse), .accepted),
        Row("expired and reported, key", whole, .key("unrelated", expired: .report), told),
        Row("expired and reported, certificate", whole, .certificate("unrelated", expired: .report), told),
        Row("expired and reported, key on the path", whole, .key("leaf", expired: .report), .accepted),
        Row("expired and reported, another place", whole, .key("leaf", at: .root, expired: .report), told),
        Row("expired, report either way", whole, .key("unrelated", on: .report, expired: .refuse), told),
        Row("expired and reported, expired leaf", old, .key("leaf", expired: .report), .refused("expired")),
        Row("expired and reported, wrong name", other, .key("leaf", expired: .report), wrongName),
    ]

    private static func below(_ leaf: String) -> [String] { ChainTable.below(leaf) }

    private static let crossed = ChainTable.crossed
    private static let longer = Row.Expectation.path(ChainTable.crossed + ["other root"])
    private static let shorter = Row.Expectation.path(ChainTable.whole + ["root"])
    private static let both = ["root", "other root"]
    private static let short = Array(ChainTable.whole.dropLast())
    private static let single = [own]
    private static let lower = "intermediate 2"
    private static let upper = "intermediate 1"
    private static let bridge = "root by other root"
    private static let own = "self-signed authority"
    private static let otherLeaf = "leaf, other name"
    private static let stranger = ["unrelated"]
    private static let old = ChainTable.below("leaf, expired")
    private static let client = ChainTable.below("leaf for clients")
    private static let other = ChainTable.below("leaf, other name")
    private static let confined = ["leaf by confined", "intermediate, confined"]
    private static let isConfined = Row.Expectation.refused("name_constraints")
    private static let isSelfSigned = Row.Expectation.refused("self_signed")
    private static let purpose = Row.Expectation.refused("wrong_purpose")
    private static let untrusted = Row.Expectation.refused("untrusted_root")
    private static let wrongName = Row.Expectation.refused("wrong_hostname")
}

extension PinPosition {
    /// Short, for rows of one line.
    fileprivate static let between = PinPosition.intermediate
}

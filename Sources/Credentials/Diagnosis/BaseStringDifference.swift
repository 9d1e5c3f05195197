/// Where two signature base strings (RFC 5849, section 3.4.1) first part.
enum BaseStringDifference: Equatable {
    case method
    case address
    /// A parameter, by its name, that only the provider has.
    case missing(String)
    /// One that only this side has.
    case surplus(String)
    case value(of: String)
    case shape

    /// Nil when they are the same.
    init?(theirs: String, ours: String) {
        guard theirs != ours else { return nil }
        let theirs = theirs.split(separator: "&", maxSplits: 2, omittingEmptySubsequences: false)
        let ours = ours.split(separator: "&", maxSplits: 2, omittingEmptySubsequences: false)
        guard theirs.count == 3, ours.count == 3 else {
            self = .shape
            return
        }
        if theirs[0] != ours[0] {
            self = .method
        } else if theirs[1] != ours[1] {
            self = .address
        } else {
            self = Self.parameter(Self.parameters(theirs[2]), Self.parameters(ours[2]))
        }
    }

    private static func parameters(_ part: Substring) -> [(name: String, value: String)] {
        let octets = PercentEncoding.decode(part.utf8) ?? []
        return octets.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (
                String(decoding: PercentEncoding.decode(name) ?? Array(name), as: UTF8.self),
                String(decoding: pair.dropFirst(name.count + 1), as: UTF8.self)
            )
        }
    }

    private static func parameter(
        _ theirs: [(name: String, value: String)],
        _ ours: [(name: String, value: String)]
    ) -> BaseStringDifference {
        let index = zip(theirs, ours).prefix { $0 == $1 }.count
        let their = index < theirs.count ? theirs[index] : nil
        let our = index < ours.count ? ours[index] : nil
        if let their, let our, their.name == our.name { return .value(of: their.name) }
        if let their, !ours.contains(where: { $0.name == their.name }) { return .missing(their.name) }
        if let our { return .surplus(our.name) }
        return their.map { .missing($0.name) } ?? .shape
    }

    /// In a few words.
    var words: String {
        switch self {
        case .method: "the method"
        case .address: "the address (scheme, host, port or path)"
        case .missing(let name): "parameter \(Self.shown(name)), which was not signed here"
        case .surplus(let name): "parameter \(Self.shown(name)), which the provider does not sign there"
        case .value(let name): "the value of parameter \(Self.shown(name))"
        case .shape: "the way it is put together"
        }
    }

    private static func shown(_ name: String) -> String { printable(name, limit: 60) }
}

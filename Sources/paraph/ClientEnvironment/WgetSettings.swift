/// A wgetrc: wget reads no variable for its CAs, and just one file of a user's.
enum WgetSettings {
    static let name = "wgetrc"
    private static let mark = Array("# Added by paraph:\n".utf8)

    /// - Parameters:
    ///   - present: The content of the user's own file; kept, but for what was added here before.
    ///   - roots: A file of CAs in PEM.
    static func bytes(present: [UInt8], roots: String) -> [UInt8] {
        var kept = present[...]
        if let added = present.firstRange(of: mark) { kept = kept[..<added.lowerBound] }
        if let last = kept.last, last != UInt8(ascii: "\n") { kept.append(UInt8(ascii: "\n")) }
        return kept + mark + Array("ca_certificate = \(roots)\n".utf8)
    }
}

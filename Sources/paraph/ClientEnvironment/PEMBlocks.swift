import FoundationEssentials

/// The certificates of a PEM file (RFC 7468) as they stand there: whether one can be used is for its readers to say.
enum PEMBlocks {
    private static let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
    private static let end = Array("-----END CERTIFICATE-----".utf8)

    /// The text without the blocks of some certificates; what stands between blocks stays.
    static func removing(_ octets: [UInt8], where isUnwanted: (_ der: [UInt8]) -> Bool) -> [UInt8] {
        var kept: [UInt8] = []
        var rest = octets[...]
        while let start = rest.firstRange(of: begin) {
            guard let stop = rest[start.upperBound...].firstRange(of: end) else { break }
            let block = rest[start.lowerBound..<stop.upperBound]
            kept += rest[..<start.lowerBound]
            if !certificates(Array(block)).contains(where: isUnwanted) { kept += block }
            rest = rest[stop.upperBound...]
        }
        return kept + rest
    }

    /// In DER. A block that is no base64 is left out.
    static func certificates(_ octets: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var rest = octets[...]
        while let start = rest.firstRange(of: begin) {
            rest = rest[start.upperBound...]
            guard let stop = rest.firstRange(of: end) else { break }
            let base64 = Data(rest[..<stop.lowerBound])
            if let der = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) { found.append(Array(der)) }
            rest = rest[stop.upperBound...]
        }
        return found
    }
}

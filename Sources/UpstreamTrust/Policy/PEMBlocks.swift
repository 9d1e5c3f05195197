import Bytes

/// The certificates of a PEM file (RFC 7468) as they stand there: whether one can be used is for its readers to say.
package enum PEMBlocks {
    private static let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
    private static let end = Array("-----END CERTIFICATE-----".utf8)

    /// Returns the text without the blocks of some certificates; what stands between blocks stays.
    package static func removing(_ bytes: [UInt8], where isUnwanted: (_ der: [UInt8]) -> Bool) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var rest = 0
        while let block = next(in: bytes, from: rest) {
            kept += bytes[rest..<block.lowerBound]
            if !(der(bytes[block]).map(isUnwanted) ?? false) { kept += bytes[block] }
            rest = block.upperBound
        }
        return kept + bytes[rest...]
    }

    /// Returns the certificates in DER. A block that is no base64 is left out.
    package static func certificates(_ bytes: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var rest = 0
        while let block = next(in: bytes, from: rest) {
            if let der = der(bytes[block]) { found.append(der) }
            rest = block.upperBound
        }
        return found
    }

    /// Returns whether a text stands in another one. The library's own search is generic over all collections, and
    /// takes 40 ms for a system's roots.
    package static func contains(_ text: [UInt8], in bytes: [UInt8]) -> Bool {
        position(of: text, in: bytes, from: 0) != nil
    }

    private static func next(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard let first = position(of: begin, in: bytes, from: start),
            let last = position(of: end, in: bytes, from: first + begin.count)
        else { return nil }
        return first..<(last + end.count)
    }

    private static func der(_ block: ArraySlice<UInt8>) -> [UInt8]? {
        // Line ends, and what else programs that read bundles pass over.
        let base64 = block.dropFirst(begin.count).dropLast(end.count).filter(Base64.isDigit)
        return Base64.decode(base64.span, allowsSpareBits: true)
    }

    private static func position(of text: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = text.first else { return start }
        var position = start
        while position + text.count <= bytes.count {
            if bytes[position] == first, bytes[position..<position + text.count].elementsEqual(text) { return position }
            position += 1
        }
        return nil
    }
}

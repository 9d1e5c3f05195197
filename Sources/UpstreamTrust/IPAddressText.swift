/// The text forms of IP addresses: RFC 3986's IPv4address, RFC 4291's for IPv6 and RFC 5952's canonical one.
enum IPAddressText {
    /// The 4 or 16 bytes, or nil when the text is no address. A zone is no part of an address.
    static func parse(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count <= 45 else { return nil }
        return text.contains(UInt8(ascii: ":")) ? parseIPv6(Array(text)) : parseIPv4(text)
    }

    static func format(_ bytes: [UInt8]) -> String {
        guard bytes.count == 16 else { return bytes.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let zeros = longestRunOfZeros(groups)
        let hex = { (groups: ArraySlice<UInt16>) in groups.map { String($0, radix: 16) }.joined(separator: ":") }
        guard zeros.count > 1 else { return hex(groups[...]) }
        return hex(groups[..<zeros.lowerBound]) + "::" + hex(groups[zeros.upperBound...])
    }

    private static func parseIPv4(_ text: some Collection<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            // A leading zero is octal to some readers and decimal to others.
            guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0"),
                part.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let byte = UInt8(String(decoding: part, as: UTF8.self))
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func parseIPv6(_ text: [UInt8]) -> [UInt8]? {
        let colon = UInt8(ascii: ":")
        guard let gap = text.indices.dropLast().first(where: { text[$0] == colon && text[$0 + 1] == colon }) else {
            return parseGroups(text[...]).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let head = parseGroups(text[..<gap]), let tail = parseGroups(text[(gap + 2)...]),
            head.count + tail.count <= 14, !(head.count > 0 && text[..<gap].contains(UInt8(ascii: ".")))
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Groups of hexadecimal digits between colons, the last of which may be an IPv4 address. None is empty.
    private static func parseGroups(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard groups.count <= 8 else { return nil }
        var bytes: [UInt8] = []
        for (position, group) in groups.enumerated() {
            if position == groups.count - 1, group.contains(UInt8(ascii: ".")) {
                guard let address = parseIPv4(group) else { return nil }
                bytes += address
                continue
            }
            // UInt16(_:radix:) would take a sign.
            guard (1...4).contains(group.count), group.first != UInt8(ascii: "+"), group.first != UInt8(ascii: "-"),
                let value = UInt16(String(decoding: group, as: UTF8.self), radix: 16)
            else { return nil }
            bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
        }
        return bytes.count <= 16 ? bytes : nil
    }

    private static func longestRunOfZeros(_ groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<(index + 1)
            }
        }
        return longest
    }
}

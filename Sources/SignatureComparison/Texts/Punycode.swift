import Bytes

/// The two forms of an internationalized host (RFC 3492), without the checks and mappings of IDNA.
enum Punycode {
    private static let (base, lowest, highest, skew, damping) = (36, 1, 26, 38, 700)
    private static let mark = "xn--"

    static func unicode(host: String) -> String {
        labels(of: host) { label in
            label.hasPrefix(mark) && label.count > mark.count
                ? decode(String(label.dropFirst(mark.count))) ?? label : label
        }
    }

    static func ascii(host: String) -> String {
        labels(of: host) { label in
            label.utf8.allSatisfy { $0 < 128 } ? label : mark + (encode(label) ?? label)
        }
    }

    private static func labels(of host: String, _ change: (String) -> String) -> String {
        host.split(separator: ".", omittingEmptySubsequences: false).map { change(String($0)) }.joined(separator: ".")
    }

    private static func decode(_ label: String) -> String? {
        let bytes = label.bytes
        let end = bytes.lastIndex(of: UInt8(ascii: "-"))
        var output = end.map { bytes[..<$0].map { Unicode.Scalar($0) } } ?? []
        var rest = bytes[(end.map { $0 + 1 } ?? 0)...]
        var (number, position, bias) = (128, 0, 72)
        while !rest.isEmpty {
            let old = position
            var (weight, k) = (1, base)
            while true {
                guard let byte = rest.popFirst(), let digit = digit(byte), weight < 1 << 26 else { return nil }
                position += digit * weight
                let threshold = min(max(k - bias, lowest), highest)
                if digit < threshold { break }
                weight *= base - threshold
                k += base
            }
            bias = adapted(position - old, output.count + 1, isFirst: old == 0)
            number += position / (output.count + 1)
            position %= output.count + 1
            guard number <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(number)) else { return nil }
            output.insert(scalar, at: position)
            position += 1
        }
        return String(String.UnicodeScalarView(output))
    }

    private static func encode(_ label: String) -> String? {
        let scalars = label.unicodeScalars.map { Int($0.value) }
        guard scalars.count <= 63 else { return nil }
        let plain = scalars.filter { $0 < 128 }
        var output = plain.map { UInt8($0) } + (plain.isEmpty ? [] : [UInt8(ascii: "-")])
        var (number, delta, bias, handled) = (128, 0, 72, plain.count)
        while handled < scalars.count {
            guard let next = scalars.filter({ $0 >= number }).min() else { return nil }
            delta += (next - number) * (handled + 1)
            number = next
            for scalar in scalars {
                if scalar < number { delta += 1 }
                guard scalar == number else { continue }
                var (rest, k) = (delta, base)
                while true {
                    let threshold = min(max(k - bias, lowest), highest)
                    if rest < threshold { break }
                    output.append(byte(threshold + (rest - threshold) % (base - threshold)))
                    rest = (rest - threshold) / (base - threshold)
                    k += base
                }
                output.append(byte(rest))
                bias = adapted(delta, handled + 1, isFirst: handled == plain.count)
                delta = 0
                handled += 1
            }
            delta += 1
            number += 1
        }
        return output.text
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damping : delta / 2
        delta += delta / count
        var k = 0
        while delta > (base - lowest) * highest / 2 {
            delta /= base - lowest
            k += base
        }
        return k + (base - lowest + 1) * delta / (delta + skew)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        if byte.isLetter { return Int(byte.lowercasedASCII - UInt8(ascii: "a")) }
        return byte.decimalValue.map { Int($0) + 26 }
    }

    private static func byte(_ digit: Int) -> UInt8 {
        UInt8(digit < 26 ? digit + 97 : digit - 26 + 48)
    }
}

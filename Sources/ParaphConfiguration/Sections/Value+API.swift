import Bytes
import Routing

extension Value {
    /// The name appears in paths, labels and file names.
    func checkAPIName(_ name: String) {
        guard !Self.isAPIName(name) else { return }
        context.report("the name of an API is made of 1 to 64 letters, digits, dots, - and _", at: keyPosition)
    }

    static func isAPIName(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
        return isPlain && !name.isEmpty && name.utf8.count <= 64
    }

    /// - Parameter everyHost: Words on a star alone.
    func hostPatterns(everyHost: String? = nil) -> [(pattern: HostPattern, value: Value)] {
        guard let items = items() else { return [] }
        if items.isEmpty { report("is empty; name at least one host") }
        return items.compactMap { item in
            guard let text = item.word() else { return nil }
            guard !text.utf8.contains(UInt8(ascii: "/")) else {
                item.report("must be a host or HOST:PORT, without scheme and path")
                return nil
            }
            do {
                return (try HostPattern(text), item)
            } catch {
                item.report(text == "*" ? everyHost ?? "\(error)" : Self.hostSlip(text) ?? "\(error)")
                return nil
            }
        }
    }

    /// Words on what is wrong with a text that is no host, where a single character tells it.
    private static func hostSlip(_ text: String) -> String? {
        if text.hasPrefix(".") { return "starts with a dot; for every host below a name write \"*.example.com\"" }
        if let blank = ForeignCharacter.blank(in: text) { return "holds \(blank); take it out" }
        if text.unicodeScalars.contains(where: { "\\^$()|+?[]{}".unicodeScalars.contains($0) }), !text.hasPrefix("[") {
            return "is no host name; regular expressions are not used here, one leading star is: \"*.example.com\""
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case ",", ";":
                return "holds a \(scalar == "," ? "comma" : "semicolon"); write each host as an item of "
                    + "its own"
            case " ", "\t": return "holds a blank; write each host as an item of its own"
            case "\"", "'": return "holds a quote; take it out"
            case _ where !scalar.isASCII && !scalar.properties.isAlphabetic:
                return "holds \(ForeignCharacter.name(scalar)), which no host name has"
            default: break
            }
        }
        return nil
    }

    /// `HOST` or `HOST:PORT`.
    func connectTarget(defaultPort: Int) -> Authority? {
        guard let text = word() else { return nil }
        do {
            return try Authority(parsing: text, defaultPort: defaultPort)
        } catch {
            report("\(error); write HOST:PORT, like 10.0.0.7:8443")
            return nil
        }
    }

    func pathPrefixes() -> [String]? {
        guard let items = items() else { return nil }
        if items.isEmpty { report("is empty, which allows no request; leave it out to allow every path") }
        return items.compactMap { item in
            guard let path = item.word() else { return nil }
            guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x3f && $0 != 0x23 }),
                !APIRoute.isAmbiguous(path: path)
            else {
                item.report(
                    "must be the beginning of a path, like /1.1/, as it is in requests, without ? and dot-segments"
                )
                return nil
            }
            if path.hasSuffix("*") {
                item.advise(
                    .warning,
                    "ends in a star, which stands for itself: a path is a beginning, and reaches what follows "
                        + "without one"
                )
            }
            return path
        }
    }

    func methods() -> [String]? {
        guard let items = items() else { return nil }
        if items.isEmpty { report("is empty, which allows no request; leave it out to allow every method") }
        return items.compactMap { item in
            guard let method = item.word() else { return nil }
            guard method.utf8.allSatisfy({ $0.isUppercase || $0 == UInt8(ascii: "-") }) else {
                item.report("must be a method in capital letters, like GET")
                return nil
            }
            guard method != "CONNECT" else {
                item.report("cannot be CONNECT, which opens a tunnel and reaches no API")
                return nil
            }
            return method
        }
    }
}

/// `JAVA_TOOL_OPTIONS`: what every Java virtual machine reads before its own arguments.
enum JavaOptions {
    /// The password of the truststore, which holds nothing secret; Java wants one.
    static let storePassword = "changeit"

    /// - Parameters:
    ///   - present: The present value; its options stay, but for those about proxies and truststores.
    ///   - truststore: A file in PKCS#12.
    static func text(present: String, host: String, port: Int, nonProxyHosts: String, truststore: String) -> String {
        let own = [
            ("http.proxyHost", host), ("http.proxyPort", "\(port)"),
            ("https.proxyHost", host), ("https.proxyPort", "\(port)"),
            ("http.nonProxyHosts", nonProxyHosts),
            ("javax.net.ssl.trustStore", truststore),
            ("javax.net.ssl.trustStoreType", "PKCS12"),
            ("javax.net.ssl.trustStorePassword", storePassword),
        ]
        let competing = own.map { "-D\($0.0)" } + ["-DsocksProxyHost", "-DsocksProxyPort"]
        let kept = words(present).filter { word in
            let plain = word.filter { $0 != "\"" && $0 != "'" }
            return !competing.contains { plain == $0 || plain.hasPrefix("\($0)=") }
        }
        return (kept + own.map { quoted("-D\($0.0)=\($0.1)") }).joined(separator: " ")
    }

    /// Returns whether it names a truststore of somebody else's, which cannot be read here to be merged.
    /// - Parameter own: The file name of our own truststores, wherever they are.
    static func namesTruststore(_ present: String, besides own: String) -> Bool {
        words(present).contains { word in
            let plain = word.filter { $0 != "\"" && $0 != "'" }
            return plain.hasPrefix("-Djavax.net.ssl.trustStore=") && !plain.hasSuffix("/\(own)")
        }
    }

    /// Returns the words of a text as the virtual machine splits them: at white space, but not within quotes, which
    /// stay part of the word here.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in text {
            if quote == nil, character.isWhitespace {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static func quoted(_ option: String) -> String {
        guard option.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0 == "'" }) else { return option }
        return "\"\(option)\""
    }
}

/// Flickr's numbers, in JSON (`stat` is `fail`) and XML (`<rsp stat="fail">`).
enum FlickrErrors {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        if let json = answer.json {
            guard json["stat"]?.text == "fail", let code = json["code"]?.number else { return nil }
            return finding(code: code, message: json["message"]?.text ?? "")
        }
        guard answer.isMarkup else { return nil }
        let lowered = ByteSearch.lowercased(answer.text)
        guard ByteSearch.index(of: "<rsp stat=\"fail\"".utf8, in: lowered) != nil,
            let code = attribute("code", of: "<err ", in: answer.text, lowered: lowered).flatMap({ Int($0) })
        else { return nil }
        return finding(code: code, message: attribute("msg", of: "<err ", in: answer.text, lowered: lowered) ?? "")
    }

    private static func finding(code: Int, message: String) -> ProviderFinding? {
        guard let (cause, words) = codes[code],
            ByteSearch.index(of: words.utf8, in: ByteSearch.lowercased(message.utf8)) != nil
        else { return nil }
        return ProviderFinding(cause: cause, dialect: .flickr, words: message)
    }

    private static let codes: [Int: (ProviderDiagnosis.Cause, words: String)] = [
        96: (.signatureInvalid, "invalid signature"),
        97: (.parameterAbsent, "missing signature"),
        98: (.tokenRefused, "invalid auth token"),
        99: (.permissionDenied, "insufficient permissions"),
        100: (.consumerKeyUnknown, "invalid api key"),
    ]

    private static func attribute(
        _ name: String,
        of element: String,
        in text: [UInt8],
        lowered: [UInt8]
    ) -> String? {
        guard let start = ByteSearch.index(of: element.utf8, in: lowered),
            let found = ByteSearch.index(of: " \(name)=\"".utf8, in: lowered, from: start)
        else { return nil }
        let value = text[(found + name.utf8.count + 3)...].prefix {
            $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ">")
        }
        return String(decoding: value, as: UTF8.self)
    }
}

import SignatureComparison

@testable import OAuthSigning

extension OtherSigner {
    private static let get = "GET&https%3A%2F%2Fapi.example.com%2Fr&"

    private static func uri(
        _ cause: ComparisonCause,
        _ uri: String,
        url: String = "https://api.example.com/r?a=1"
    ) -> OtherSigner {
        OtherSigner("\(cause.rawValue), \(uri)", cause, "GET&\(encoded(uri))&a%3D1%26" + ours) { $0.url = url }
    }

    /// The URI as clients, frameworks and gateways see it.
    static let uris: [OtherSigner] = [
        uri(.portKept, "https://api.example.com:-1/r"), uri(.portKept, "https://api.example.com:0/r"),
        uri(.portKept, "https://api.example.com:/r"), uri(.portKept, "http://api.example.com:8080/r"),
        uri(.hostLabel, "https://www.api.example.com/r"), uri(.hostLabel, "https://example.com/r"),
        uri(.hostDot, "https://api.example.com./r"), uri(.host, "http://localhost:8080/r"),
        uri(.schemeMissing, "api.example.com/r"), uri(.pathOnly, "/r"), uri(.pathOnly, "/r?a=1"),
        uri(.pathMissing, "https://api.example.com"), uri(.pathSlashes, "https://api.example.com//r"),
        uri(.userInformation, "https://al:pw@api.example.com/r", url: "https://al:pw@api.example.com/r?a=1"),
        uri(.internationalHost, "https://münchen.example/r", url: "https://xn--mnchen-3ya.example/r?a=1"),
        uri(.internationalHost, "https://xn--mnchen-3ya.example/r", url: "https://münchen.example/r?a=1"),
        uri(.hostCase, "https://apı.example.com/r", url: "https://API.example.com/r?a=1"),
        uri(.pathPrefix, "https://api.example.com/api/r"), uri(.pathPrefix, "https://api.example.com/r/r"),
        uri(.pathSuffix, "https://api.example.com/r", url: "https://api.example.com/r/list?a=1"),
        uri(.pathSuffix, "https://api.example.com/r", url: "https://api.example.com/r.json?a=1"),
        uri(.pathVersion, "https://api.example.com/v1/r", url: "https://api.example.com/v2/r?a=1"),
        uri(.pathTemplate, "https://api.example.com/shops/{shopId}/r", url: "https://api.example.com/shops/7/r?a=1"),
        uri(.matrixParameters, "https://api.example.com/r/s", url: "https://api.example.com/r;size=1/s?a=1"),
        uri(.pathEncoding, "https://api.example.com/a+b", url: "https://api.example.com/a%20b?a=1"),
        uri(.pathEncoding, "https://api.example.com/%7Eal/r", url: "https://api.example.com/~al/r?a=1"),
        uri(.lowercaseHex, "https://api.example.com/R%c3%a9", url: "https://api.example.com/R%C3%A9?a=1"),
    ]

    private static func list(_ cause: ComparisonCause, _ query: String, _ list: String) -> OtherSigner {
        OtherSigner("\(cause.rawValue), \(list)", cause, get + encoded(list)) {
            $0.url = "https://api.example.com/r?" + query
        }
    }

    /// The protocol's parameters, not encoded as a whole.
    private static let own =
        "oauth_consumer_key=ck&oauth_nonce=n1&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1700000000&oauth_token=tk"
        + "&oauth_version=1.0"

    /// The parameters as languages flatten, change and sort them.
    static let lists: [OtherSigner] = [
        list(.arrayNames, "a=1&a=2", "a%5B%5D=1&a%5B%5D=2&\(own)"), list(.arrayNames, "a[]=1&a[]=2", "a=1&a=2&\(own)"),
        list(.arrayNames, "a[0]=x&a[1]=y", "a%5B1%5D=x&a%5B2%5D=y&\(own)"),
        list(.arrayAsText, "a=x&a=y", "a=%5B%22x%22%2C%22y%22%5D&\(own)"),
        list(.arrayAsText, "a=x&a=y", "a=Array&\(own)"),
        list(.objectAsText, "a[b]=1&a[c]=2", "a=%5Bobject%20Object%5D&\(own)"),
        list(.nestedNames, "a[b]=1", "a.b=1&\(own)"), list(.nestedNames, "a.b=1", "a%5Bb%5D=1&\(own)"),
        list(
            .nameCase,
            "PageSize=9",
            "oauth_consumer_key=ck&oauth_nonce=n1&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1700000000&oauth_token=tk&oauth_version=1.0&pagesize=9"
        ),
        list(.valueType, "a=true&b=false", "a=1&b=&\(own)"), list(.valueType, "a=1", "a=true&\(own)"),
        list(.valueNumber, "a=10.00", "a=10&\(own)"), list(.valueNumber, "a=1000000", "a=1e%2B06&\(own)"),
        list(.valueTrimmed, "a=%20x%20", "a=x&\(own)"), list(.valueBlanks, "a=x%20%20y", "a=x%20y&\(own)"),
        list(.valueLineEnds, "a=x%0Ay", "a=x%0D%0Ay&\(own)"), list(.markup, "a=%3Cb%3E", "a=%26lt%3Bb%26gt%3B&\(own)"),
        list(.markup, "a=1&b=2", "a=1&amp%3Bb=2&\(own)"), list(.valueEscaped, "a=%22x%22", "a=%5C%22x%5C%22&\(own)"),
        list(.decodedTwice, "a=%2541", "a=A&\(own)"), list(.plusForSpace, "a=1%2B2", "a=1%202&\(own)"),
        list(.nameSpelling, "a=1", "%3Fa=1&\(own)"), list(.flagValue, "a", "a=true&\(own)"),
        list(.parameterValue, "a=7", "a=8&\(own)"), list(.parameterAdded, "a=1", "a=1&\(own)&page="),
        list(.signedTwice, "a=1", "a=1&a=1&\(own)"), list(.takenAsOne, "a=1&b=2", "a=1%26b%3D2&\(own)"),
        list(.separators, "a=1", "&a=1&\(own)"), list(.separators, "a=1", "a=1\(own)"),
        list(.separators, "a=1&&b=2", "=&a=1&b=2&\(own)"),
        list(.protocolNames, "a=1", "a=1&" + own.replacing("oauth_", with: "")),
        list(
            .secretSigned,
            "a=1",
            "a=1&" + own.replacing("&oauth_version", with: "&oauth_token_secret=tok%26secret&oauth_version")
        ),
        list(.parameterValue, "a=1", "a=1&" + own.replacing("HMAC-SHA1", with: "hmac-sha1")),
        list(.routeParameter, "a=1", "a=1&action=index&controller=r&\(own)"),
        list(.reservedNotEncoded, "ids%5B%5D=a%20b", "ids[]=a%20b&\(own)"),
        list(.doubleEncoding, "%5B%5D=%2F", "%255B%255D=%2F&\(own)"),
        list(.sortedByNumber, "f10=a&f2=b", "f2=b&f10=a&\(own)"),
        list(.sortedByLocale, "ad=3&%C3%A4c=2&ab=1", "ab=1&%C3%A4c=2&ad=3&\(own)"),
        list(.sortedByLocale, "a_d=1&ac=2&a_b=3", "a_b=3&ac=2&a_d=1&\(own)"),
        list(
            .notSorted,
            "a=1",
            "oauth_token=tk&oauth_nonce=n1&oauth_signature_method=HMAC-SHA1&oauth_consumer_key=ck&oauth_timestamp=1700000000&oauth_version=1.0&a=1"
        ),
    ]

    /// Text in another character set or form.
    static let characters: [OtherSigner] = [
        list(.characterSet, "a=%E2%82%AC", "a=%80&\(own)"), list(.characterSet, "a=%C3%A9", "a=%C3%83%C2%A9&\(own)"),
        list(.characterSet, "a=%D0%9F", "a=%CF&\(own)"), list(.characterSet, "a=%C3%A9", "a=e%CC%81&\(own)"),
        list(.characterSet, "a=e%CC%81", "a=%C3%A9&\(own)"),
        list(.characterSet, "a=%F0%9F%98%80", "a=%ED%A0%BD%ED%B8%80&\(own)"),
        list(.characterSet, "a=%C3%A9", "a=%3F&\(own)"), list(.characterSet, "a=x%C3%A9", "a=x&\(own)"),
        list(.characterSet, "a=%E5%86%99", "a=%99&\(own)"), list(.characterSet, "a=%C3%A9", "a=%26%23233%3B&\(own)"),
        list(.characterSet, "a=%C3%A9", "a=%5Cu00e9&\(own)"),
        list(.escapeFunction, "a=%E5%86%99%20", "a=%u5199%20&\(own)"),
    ]

    private static func body(_ cause: ComparisonCause, _ type: String, _ body: String, _ signed: String) -> OtherSigner
    {
        OtherSigner(
            "\(cause.rawValue), \(signed)",
            cause,
            "POST&https%3A%2F%2Fapi.example.com%2Fr&" + encoded(signed)
        ) {
            $0.method = "POST"
            $0.url = "https://api.example.com/r"
            ($0.contentType, $0.body) = (type, body)
        }
    }

    private static let multipart =
        "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name=\"f\"; "
        + "filename=\"f.txt\"\r\nContent-Type: text/plain\r\n\r\ntext\r\n--b--\r\n"

    /// Bodies that were taken for something else than they are.
    static let bodies: [OtherSigner] = [
        body(.bodySignedAsForm, "application/json", #"{"a": "x", "n": 2}"#, "a=x&n=2&\(own)"),
        body(.bodySignedAsForm, "application/json", "{\"a\": \"x\ny\", \"n\": \"\\'\"}", "a=x%0Ay&n=%27&\(own)"),
        body(
            .bodySignedAsForm,
            "application/json",
            #"{"a": [1, 2], "b": {"c": true}}"#,
            "a=1&a=2&b%5Bc%5D=true&\(own)"
        ),
        body(.bodySignedAsForm, "application/json", #"{"a":1}"#, "body=%7B%22a%22%3A1%7D&\(own)"),
        body(.bodySignedAsForm, "multipart/form-data; boundary=b", multipart, "a=1&\(own)"),
        body(.bodySignedAsForm, "multipart/form-data; boundary=\"b\"", multipart, "a=1&f=text&\(own)"),
        body(.bodySignedAsForm, "multipart/form-data; boundary=b", multipart, "a=1&f=f.txt&\(own)"),
        body(.takenAsOne, "application/x-www-form-urlencoded", "a=1&b=2", "a=1%26b%3D2&\(own)"),
        body(.signedTwice, "application/x-www-form-urlencoded", "a=1", "a=1&a=1&\(own)"),
    ]
}

import SignatureComparison

@testable import OAuthSigning

extension OtherSigner {
    private static let get = "GET&https%3A%2F%2Fapi.example.com%2Fr&"

    private static func query(_ query: String) -> (inout OtherSigner) -> Void {
        { $0.url = "https://api.example.com/r?" + query }
    }

    /// The signers that differ in how names and values are encoded.
    static let encodings: [OtherSigner] = [
        OtherSigner("+ for a space", .plusForSpace, get + "a%3D1%2B2%26" + ours, change: query("a=1%202")),
        OtherSigner("values encoded twice", .doubleEncoding, get + "a%3D1%25252F2%26" + ours, change: query("a=1%2F2")),
        OtherSigner(
            "values not encoded",
            .missingEncoding,
            get + "a%3D1%2F2%2B%26" + ours,
            change: query("a=1%2F2%2B")
        ),
        OtherSigner(
            "the list not encoded",
            .missingEncoding,
            get + "a=1%2F2&" + ours.replacing("%3D", with: "=").replacing("%26", with: "&"),
            change: query("a=1%2F2")
        ),
        OtherSigner(
            "the URI not encoded",
            .missingEncoding,
            "GET&https://api.example.com/r&a%3D1%252F2%26" + ours,
            change: query("a=1%2F2")
        ),
        OtherSigner(
            "a query signed as it is written",
            .queryAsWritten,
            get + "a%3D%21%2B%252f%26" + ours,
            change: query("a=!+%2f")
        ),
        OtherSigner(
            "lower-case digits everywhere",
            .lowercaseHex,
            "GET&https%3a%2f%2fapi.example.com%2fr&a%3d1%252f2%26"
                + ours.replacing("%3D", with: "%3d"),
            change: query("a=1%2F2")
        ),
        OtherSigner(
            "lower-case digits in values",
            .lowercaseHex,
            get + "a%3D1%252f2%26" + ours,
            change: query("a=1%2F2")
        ),
        OtherSigner("~ encoded", .overEncoding, get + "a%3D%257E%26" + ours, change: query("a=~")),
        OtherSigner(
            ". and _ encoded",
            .overEncoding,
            get + "a%3D%255F%252Eb%26"
                + ours.replacing(
                    "oauth_",
                    with: "oauth%255F"
                ).replacing("signature_m", with: "signature%255Fm").replacing("HMAC-", with: "HMAC%252D").replacing(
                    "consumer_k",
                    with: "consumer%255Fk"
                ).replacing("1.0", with: "1%252E0"),
            change: query("a=_.b")
        ),
        OtherSigner(
            "! * ' ( ) left alone",
            .reservedNotEncoded,
            get + "a%3D%21%2A%27%28%29%26" + ours,
            change: query("a=!*'()")
        ),
        OtherSigner("! left alone twice", .reservedNotEncoded, get + "a%3D!%26" + ours, change: query("a=!")),
        OtherSigner("/ left alone", .reservedNotEncoded, get + "a%3D%252B%2F%26" + ours, change: query("a=%2B%2F")),
        OtherSigner(
            "encoded as a form",
            .formEncoding,
            get + "a%3D1%2B%2A%257E%26" + ours,
            change: query("a=1%20*~")
        ),
        OtherSigner("ISO-8859-1", .characterSet, get + "a%3D%25E9%26" + ours, change: query("a=%C3%A9")),
    ]

    /// The signers that differ in how the parameters are sorted.
    static let orders: [OtherSigner] = [
        OtherSigner(
            "sorted before encoding",
            .sortedBeforeEncoding,
            get + "aA%3D1%26a%255B%3D2%26" + ours,
            change: query("a%5B=2&aA=1")
        ),
        OtherSigner(
            "sorted by name only",
            .sortedByNameOnly,
            get + "a%3D2%26a%3D1%26b%3D3%26" + ours,
            change: query("b=3&a=2&a=1")
        ),
        OtherSigner(
            "sorted as pairs",
            .sortedAsPairs,
            get + "a1%3D2%26a%3D3%26" + ours,
            change: query("a=3&a1=2")
        ),
        OtherSigner(
            "sorted without regard to case",
            .sortedIgnoringCase,
            get + "a%3D1%26B%3D2%26" + ours,
            change: query("a=1&B=2")
        ),
        OtherSigner("not sorted", .notSorted, get + "z%3D1%26b%3D2%26" + ours, change: query("z=1&b=2")),
        OtherSigner("sorted in groups", .sortedInGroups, get + ours + "%26b%3D2%26z%3D1", change: query("z=1&b=2")),
    ]
}

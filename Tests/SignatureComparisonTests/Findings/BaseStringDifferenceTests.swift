import Testing

@testable import OAuthSigning
@testable import SignatureComparison

@Suite("Two base strings")
struct BaseStringDifferenceTests {
    private static let ours = "GET&https%3A%2F%2Fh%3A8443%2Fr&a%3D1%26a%3D2%26b%3D2%2520q%26z%3D1"

    @Test(
        "Where two base strings part is told in plain terms",
        arguments: [
            ("POST&https%3A%2F%2Fh%3A8443%2Fr&a%3D1", 0, .method, "GET", "POST"),
            ("GET&https%3A%2F%2Fh%2Fr&a%3D1", 20, .uri, "https://h:8443/r", "https://h/r"),
            ("GET&https%3A%2F%2Fh%3A8443%2Fr&a%3D1%26b%3D2", 39, .parameters, "a=2", "b=2"),
            ("GET&https%3A%2F%2Fh%3A8443%2Fr&a%3D1%26a%3D2%26b%3D2%2Bq%26z%3D1", 54, .parameters, "b=2 q", "b=2+q"),
            ("GET&https%3A%2F%2Fh%3A8443%2Fr&a%3D1", 36, .parameters, "a=2", nil),
            ("GET&https%3A%2F%2Fh%3A8443%2Fr&", 31, .parameters, "a=1", nil),
            ("GET&https%3A%2F%2Fh%3A8443%2Fr&a=1&a=2", 32, .parameters, "a=1", "a=1"),
        ] as [(String, Int, BaseStringParting.Part, String?, String?)]
    )
    func partings(
        _ theirs: String,
        _ offset: Int,
        _ part: BaseStringParting.Part,
        _ ourElement: String?,
        _ theirElement: String?
    ) throws {
        let parting = try #require(BaseStringParting(ours: Self.ours, theirs: theirs))
        #expect(parting.offset == offset && parting.part == part)
        #expect(parting.ours == ourElement && parting.theirs == theirElement)
    }

    @Test("Equal base strings part nowhere")
    func equal() {
        #expect(BaseStringParting(ours: Self.ours, theirs: Self.ours) == nil)
        #expect(BaseStringDifference.findings(ours: Self.ours, theirs: Self.ours).isEmpty)
        #expect(BaseStringDifference.findings(ours: Self.ours, theirs: "nonsense").isEmpty)
    }

    @Test(
        "What two base strings say differently is told without their request",
        arguments: [
            ("GET", "POST", [.method]), ("https", "http", [.scheme]), ("%2Fh%3A8443", "%2Fi%3A8443", [.host]),
            ("%3A8443", "", [.portDropped]), ("8443", "444", [.host]), ("%2Fr&", "%2Fr%2F&", [.path]),
            ("%26a%3D2", "", [.duplicateDropped]), ("%26z%3D1", "", [.parameterNotSigned]),
            ("%26z%3D1", "%26z%3D1%26zz%3D", [.parameterAdded]), ("%2520", "%2B", [.parameterValue]),
            ("%26b%3D2%2520q%26z%3D1", "%26z%3D1%26b%3D2%2520q", [.notSorted]),
            ("%3A8443", "%3a8443", [.missingEncoding]),
            ("GET&https%3A%2F%2Fh", "PUT&http%3A%2F%2Fh", [.method, .scheme]),
        ] as [(String, String, [ComparisonCause])]
    )
    func differences(_ original: String, _ replacement: String, _ causes: [ComparisonCause]) {
        let theirs = Self.ours.replacing(original, with: replacement)
        let findings = BaseStringDifference.findings(ours: Self.ours, theirs: theirs)
        #expect(findings.map(\.cause) == causes, "\(findings)")
        #expect(findings.allSatisfy { $0.certainty == .seen })
    }

    @Test("A port that only the other side has is told")
    func port() {
        let ours = Self.ours.replacing("%3A8443", with: "")
        #expect(BaseStringDifference.findings(ours: ours, theirs: Self.ours).map(\.cause) == [.portKept])
    }

    @Test("A base string that nothing explains is compared part by part")
    func unexplained() throws {
        let request = SignatureComparisonTests.right.request
        let theirs = SignatureComparisonTests.right.base.replacing("a%3D1", with: "a%3D7")
        let comparison = try SignatureComparison(of: request, with: ComparedSigner(theirs), now: 0)
        #expect(comparison.verdict == .unexplained && comparison.findings.map(\.cause) == [.parameterValue])
        #expect(comparison.parting?.ours == "a=1" && comparison.parting?.theirs == "a=7")
    }
}

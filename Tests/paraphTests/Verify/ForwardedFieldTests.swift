import Bytes
import Testing

@testable import paraph

@Suite("The Forwarded field")
struct ForwardedFieldTests {
    @Test(
        "Its hosts and schemes are read in their order, quoted or not",
        arguments: [
            ("for=1.2.3.4;host=api.example.com;proto=https", ["api.example.com"], [URIScheme.https]),
            (#"FOR="[::1]:1"; Host="a.example:8443" ;PROTO=HTTP, host=b"#, ["a.example:8443", "b"], [.http]),
            (#"host="a\"b,;c", host=d"#, [#"a"b,;c"#, "d"], []),
            ("proto=ftp;host=;host", [], []), ("", [], []), (",;=,=x", [], []), (#"host="a"#, ["a"], []),
            (#"host="a\"#, ["a"], []),
        ]
    )
    func read(value: String, hosts: [String], schemes: [URIScheme]) {
        let field = ForwardedField(value)
        #expect(field.hosts == hosts)
        #expect(field.schemes == schemes)
    }
}

import Testing

@testable import OAuthSigning

@Suite("Authorization fields")
struct AuthorizationFieldTests {
    @Test(
        "What keeps a field from being read is named, and its place, without a value",
        arguments: [
            (#"OAuth oauth_token=sekret"#, 19, "the value of oauth_token is not in quotation marks"),
            (#"OAuth oauth_token='sekret'"#, 19, "the value of oauth_token stands in ' and not in \""),
            (#"OAuth oauth_token=“sekret”"#, 19, "the value of oauth_token stands in typographic quotation marks"),
            (#"OAuth oauth_token=\"sekret\""#, 19, "escaped once too often"),
            (#"OAuth oauth_token=%22sekret%22"#, 19, "the quotation marks around the value of oauth_token are en"),
            (#"OAuth oauth_token=&quot;sekret&quot;"#, 19, "the quotation marks around the value of oauth_token are"),
            (#"OAuth oauth_token=, oauth_nonce="n""#, 19, "the value of oauth_token is absent"),
            (#"OAuth oauth_nonce="n", oauth_token="sekret"#, 36, "the value of oauth_token has no closing"),
            (#"OAuth oauth_token="sekret\"#, 19, "the value of oauth_token has no closing quotation mark"),
            (#"OAuth oauth_token="sekret" oauth_nonce="n""#, 28, "the next parameter follows the value of oauth_token"),
            (#"OAuth oauth_token="sekret" - oauth_nonce="n""#, 28, "something else follows the value of oauth_token"),
            (#"OAuth oauth_token="sekret, oauth_nonce="n""#, 19, "the value of oauth_token has no closing"),
            (#"OAuth oauth_token=""sekret"", oauth_nonce="n""#, 19, "around the value of oauth_token are doubled"),
            (#"OAuth oauth_token: "sekret", oauth_nonce="n""#, 18, "a colon stands behind oauth_token"),
            (#"OAuth oauth_nonce="n", oauth_token, realm="sekret""#, 24, "no = follows oauth_token"),
            (#"OAuth oauth_nonce="n", oauth_token "sekret""#, 24, "no = follows oauth_token"),
            (#"OAuth oauth_nonce="n", "sekret""#, 24, "a name should stand there"),
            (#"OAuth oauth_nonce="n", realm="#, 30, "the value of realm is absent"),
            (#"OAuth realm="#, 13, "the value of realm is absent"),
            (#"OAuth oauth_token=""; oauth_nonce="n""#, 21, "a semicolon follows the value of oauth_token"),
            (#"OAuth oauth_token=""oauth_nonce="n""#, 21, "the next parameter follows the value of oauth_token"),
            (#"OAuth c2VrcmV0sekret=="#, 7, "it is a bare token, as OAuth 2.0 has"),
            (#"OAuth c2VrcmV0sekret="#, 7, "it is a bare token, as OAuth 2.0 has"),
            (#"OAuth c2VrcmV0/sekret+a="#, 7, "it is a bare token, as OAuth 2.0 has"),
            (#"OAuth oauth_token="sekret"&oauth_nonce="n""#, 27, "& follows the value of oauth_token"),
            (#"OAuth oauth_token="sekret"; oauth_nonce="n""#, 27, "a semicolon follows the value of oauth_token"),
            (#"OAuth oauth_token="sekret"""#, 27, "a second quotation mark follows the value of oauth_token"),
            (#"OAuth oauth_token = "sekret""#, 18, "a blank stands between oauth_token and its ="),
            (#"OAuth oauth_token= "sekret""#, 19, "a blank stands before the value of oauth_token"),
            (#"OAuth ="sekret""#, 7, "no name stands before ="),
            (#"OAuth sekret"#, 7, "it is a bare token, as OAuth 2.0 has"),
            (#"OAuth sekret=sekret"#, 14, "a value is not in quotation marks"),
        ]
    )
    func faults(field: String, position: Int, reason: String) {
        let bytes = Array(field.utf8)
        let fault = #expect(throws: AuthorizationFieldFault.self) { try AuthorizationField(bytes.span) }
        #expect(fault?.position == position)
        let sentence = fault?.description ?? ""
        #expect(sentence.contains(reason) && !sentence.contains("sekret"), "\(sentence)")
    }

    @Test("Pairs are read in order, the realm apart; another scheme is none")
    func pairs() throws {
        let bytes = Array(#"OAuth realm="r", oauth_token="a%20b",oauth_nonce="n\"n" , "#.utf8)
        let field = try #require(try AuthorizationField(bytes.span))
        #expect(field.realm == Array("r".utf8))
        let pairs = field.written.map {
            String(decoding: $0.name, as: UTF8.self) + "=" + String(decoding: $0.value, as: UTF8.self)
        }
        #expect(pairs == ["oauth_token=a%20b", #"oauth_nonce=n"n"#])
        // RFC 9110, section 5.6.1.2: empty elements of a list; and a field as it was folded.
        let sparse = Array("OAuth ,oauth_token=\"a\",,\r\n  oauth_nonce=\"n\", ,".utf8)
        let written = try #require(try AuthorizationField(sparse.span)).written
        let names = written.map { String(decoding: $0.name, as: UTF8.self) }
        #expect(names == ["oauth_token", "oauth_nonce"])
        for other in ["Bearer x", "", "OAuth"] {
            let bytes = Array(other.utf8)
            let field = try AuthorizationField(bytes.span)
            #expect(field == nil)
        }
    }
}

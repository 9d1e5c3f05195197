import Testing

@testable import Credentials

@Suite("Answers that cannot be read, or not to their end")
struct UnwholeAnswerTests {
    static func read(_ body: [UInt8], status: Int = 401, unread: String? = nil) -> ProviderDiagnosis? {
        ProviderDiagnosis.read(status: status, fields: [], body: body, unreadBody: unread, secrets: [])
    }

    @Test("That an answer could not be read is told, and not that it is silent")
    func unread() throws {
        let diagnosis = try #require(Self.read([], unread: "Content-Encoding: br\u{1B}"))
        #expect(
            diagnosis.sentence(.init(api: "a", account: "b"))
                == "The provider refuses the request, and its answer could not be read (Content-Encoding: br): check the "
                + "credentials of a/b."
        )
        #expect(Self.read([], status: 403, unread: "Content-Encoding: br") == nil)
    }

    static let filler = String(repeating: "x", count: 70_000)

    @Test(
        "The beginning of a long answer is read",
        arguments: [
            #"{"errors":[{"code":89,"message":"Invalid or expired token."},{"message":"\#(filler)"}]}"#,
            #"{"errors":[{"code":89,"message":"Invalid or expired token.","trace":"\"\#(filler)"}]}"#,
            #"{"stat":"fail","code":98,"message":"Invalid auth token","details":["\#(filler)"]}"#,
            #"[{"x":{}},{"message":"expired token"},"\#(filler)"]"#,
            #"<?xml version="1.0"?><errors><error code="89">Invalid or expired token</error>\#(filler)</errors>"#,
            #"<rsp stat="fail"><err code="98" msg="Invalid auth token" /><x>\#(filler)</x></rsp>"#,
            "oauth_problem=token_expired&x=\(filler)",
        ]
    )
    func long(body: String) {
        #expect(Self.read(Array(body.utf8))?.cause == .tokenRefused)
    }

    @Test(
        "A text that is malformed is read",
        arguments: [
            "Invalid or expired token.\nSorry!", #"Can\'t: invalid or expired token."#,
            #"Invalid or expired token \ud83d"#,
        ]
    )
    func malformed(message: String) {
        let body = Array(#"{"errors":[{"code":89,"message":"\#(message)"}]}"#.utf8)
        #expect(Self.read(body)?.cause == .tokenRefused)
        #expect(Self.read(body.dropLast(1))?.cause == .tokenRefused)
    }

    @Test("UTF-16 is read, in either order of bytes, with a mark and without", arguments: [true, false])
    func utf16(isBigEndian: Bool) {
        let bodies = [
            #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#, "expired token",
            "oauth_problem=token_expired",
        ]
        for text in bodies {
            for mark in ["", "\u{FEFF}"] {
                let body = (mark + text).utf16.flatMap { unit in
                    isBigEndian
                        ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
                }
                #expect(Self.read(body)?.cause == .tokenRefused)
                #expect(Self.read(body.dropLast())?.cause != nil)
            }
        }
    }
}

import Credentials
import OAuthSigning
import TestSupport
import Testing

@Suite("POST /register", .generousLimit, .timed)
struct RegistrationTests {
    private static let form = "access_type=2&passkey=7&passcode=t%3As"

    @Test(
        "Each result has its status and its members, in their order",
        arguments: [
            (
                .created(CredentialName(api: "x", account: "7")), 201,
                #"{"error":false,"message":"USER_CREATED_SUCCESSFULLY","account":"7"}"#
            ),
            (
                .existed(CredentialName(api: "x", account: "a\"\n")), 200,
                #"{"error":false,"message":"USER_ALREADY_EXISTED","account":"a\"\n"}"#
            ),
            (.refused(detail: "No."), 401, #"{"error":true,"message":"USER_CREATION_FAILED","detail":"No."}"#),
            (.unavailable(detail: "Down."), 502, #"{"error":true,"message":"USER_CREATION_FAILED","detail":"Down."}"#),
            (.timedOut(detail: "Slow."), 504, #"{"error":true,"message":"USER_CREATION_FAILED","detail":"Slow."}"#),
            (
                .storeUnavailable(detail: "Away."), 503,
                #"{"error":true,"message":"USER_CREATION_FAILED","detail":"Away."}"#
            ),
            (.failed(detail: "Full."), 500, #"{"error":true,"message":"USER_CREATION_FAILED","detail":"Full."}"#),
        ] as [(EnrolmentResult, Int, String)]
    )
    func results(result: EnrolmentResult, status: Int, body: String) async throws {
        let reply = try await AdminScene.withListener(accounts: MemoryAccounts(result: result)) {
            try await $0.register(Self.form)
        }
        #expect(reply.status == status)
        #expect(reply.body == body)
        #expect(reply["Content-Type"] == "application/json")
        #expect(reply["Cache-Control"] == "no-store")
        #expect((reply["WWW-Authenticate"] != nil) == (status == 401))
        #expect(reply["Retry-After"] == (status == 503 ? "1" : nil))
    }

    @Test("An account is created once")
    func twice() async throws {
        let statuses = try await AdminScene.withListener { client in
            [try await client.register(Self.form).status, try await client.register(Self.form).status]
        }
        #expect(statuses == [201, 200])
    }

    @Test(
        "A claim is read as it was sent, as a form and as JSON",
        arguments: [
            ("application/x-www-form-urlencoded", "access_type=2&passkey=7&passcode=t%3as", 2, "7", "t:s"),
            (
                "Application/X-WWW-Form-URLEncoded; Charset=UTF-8", "passcode=a+b%2B%26=c&passkey=%C3%A4&access_type=0",
                0,
                "ä", "a b+&=c"
            ),
            (
                "application/x-www-form-urlencoded", "&x&access_type=1&passkey=+7&y=%41&passcode=%E2%82%AC&", 1, " 7",
                "€"
            ),
            ("application/json", #"{"access_type":"1","passkey":"a b","passcode":"p\u00e4\"\\"}"#, 1, "a b", "pä\"\\"),
            (
                "application/json;charset=\"utf-8\"",
                #"{"access_type":2,"passkey":18446744073709551617,"passcode":"x:y"}"#, 2,
                "18446744073709551617", "x:y"
            ),
            (
                " application/json ; charset=utf-8 ; x=y ",
                #"{"access_type":2,"passkey":9007199254740993,"passcode":1,"z":[]}"#,
                2, "9007199254740993", "1"
            ),
        ]
    )
    func claims(type: String, body: String, accessType: Int, passkey: String, passcode: String) async throws {
        let accounts = MemoryAccounts()
        let reply = try await AdminScene.withListener(accounts: accounts) { try await $0.register(body, type: type) }
        #expect(reply.status == 201)
        let expected = MemoryAccounts.Claim(
            accessType: try #require(EnrolmentAccessType(rawValue: accessType)),
            passkey: passkey,
            passcode: Secret(passcode)
        )
        #expect(accounts.claims == [expected])
    }

    @Test(
        "Fields that are missing or empty are named, and only they, in their order",
        arguments: [
            ("", "access_type, passkey, passcode"), ("x=y", "access_type, passkey, passcode"),
            ("passcode=s", "access_type, passkey"), ("access_type=2", "passkey, passcode"),
            ("passkey=7&passcode=s", "access_type"), ("access_type=2&passcode=s", "passkey"),
            ("access_type=2&passkey=7", "passcode"), ("access_type=2&passkey=7&passcode=", "passcode"),
            ("access_type=&passkey=&passcode=", "access_type, passkey, passcode"),
            ("access_type&passkey&passcode", "access_type, passkey, passcode"),
            ("access_type=9&passkey=+%09&passcode=s", "passkey"),
            ("Access_Type=2&passkey=7&passcode=s", "access_type"),
            ("{}", "access_type, passkey, passcode"),
            (#"{"passkey":null,"access_type":2,"passcode":""}"#, "passkey, passcode"),
            (#"{"a":{"passkey":"7"},"access_type":2,"passcode":"s"}"#, "passkey"),
        ]
    )
    func missingFields(body: String, names: String) async throws {
        let accounts = MemoryAccounts()
        let type = body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
        let reply = try await AdminScene.withListener(accounts: accounts) { try await $0.register(body, type: type) }
        #expect(reply.status == 400)
        #expect(reply.body == #"{"error":true,"message":"Required field(s) "# + names + #" missing or empty"}"#)
        #expect(accounts.claims.isEmpty)
    }

    @Test("A request without body and media type misses all fields")
    func nothing() async throws {
        let reply = try await AdminScene.withListener { try await $0.register("", type: nil) }
        #expect(reply.status == 400)
        #expect(reply.body.contains("Required field(s) access_type, passkey, passcode missing or empty"))
    }

    @Test(
        "An access type that is no number, or not configured, is named as such",
        arguments: ["1", "7", "x", "02", "2.0"]
    )
    func accessTypes(accessType: String) async throws {
        let accounts = MemoryAccounts(accessTypes: [.oauth1, .password])
        let reply = try await AdminScene.withListener(accounts: accounts) {
            try await $0.register("access_type=\(accessType)&passkey=7&passcode=s")
        }
        #expect(reply.status == 400)
        #expect(
            reply.body
                == #"{"error":true,"message":"access_type must be a number of enrolment.access_types: 0, 2."}"#
        )
        #expect(accounts.claims.isEmpty)
    }

    @Test(
        "What is no form and no JSON object is refused",
        arguments: [
            ("application/json", "{", 400), ("application/json", "", 400), ("application/json", "[]", 400),
            ("application/json", #"{"access_type":true,"passkey":"7","passcode":"s"}"#, 400),
            ("application/json", #"{"access_type":2,"passkey":"7","passkey":"8","passcode":"s"}"#, 400),
            ("application/json", "access_type=2&passkey=7&passcode=s", 400),
            ("application/x-www-form-urlencoded", "access_type=2&passkey=%zz&passcode=s", 400),
            ("application/x-www-form-urlencoded", "access_type=2&passkey=%ff&passcode=s", 400),
            ("application/x-www-form-urlencoded", "access_type=2&passkey=7&passkey=7&passcode=s", 400),
            ("application/json; charset=utf-16", "{}", 415), ("text/plain", "access_type=2&passkey=7&passcode=s", 415),
            ("multipart/form-data; boundary=x", "--x--", 415), ("application/jsonx", "{}", 415), ("", "{}", 415),
        ]
    )
    func malformed(type: String, body: String, status: Int) async throws {
        let accounts = MemoryAccounts()
        let reply = try await AdminScene.withListener(accounts: accounts) { try await $0.register(body, type: type) }
        #expect(reply.status == status)
        #expect(reply.body.hasPrefix(#"{"error":true,"message":"#))
        #expect(accounts.claims.isEmpty)
    }

    @Test("A body without a media type is refused")
    func noType() async throws {
        let reply = try await AdminScene.withListener { try await $0.register(Self.form, type: nil) }
        #expect(reply.status == 415)
    }

    @Test("A body of 64 KiB is read, a larger one is refused", arguments: [(65_536, 201), (65_537, 413)])
    func bodyLimit(count: Int, status: Int) async throws {
        let body = Self.form + String(repeating: "x", count: count - Self.form.utf8.count)
        let reply = try await AdminScene.withListener { try await $0.register(body) }
        #expect(reply.status == status)
    }

    @Test("The limit holds for chunked bodies, too", arguments: [(65_536, 201), (65_537, 413)])
    func chunkedBody(count: Int, status: Int) async throws {
        let content = Self.form + String(repeating: "x", count: count - Self.form.utf8.count)
        let body = "\(String(count, radix: 16))\r\n\(content)\r\n0\r\n\r\n"
        let reply = try await AdminScene.withListener { client in
            try await client.send(
                "POST",
                "/register",
                fields: [
                    ("Content-Type", "application/x-www-form-urlencoded"), ("Transfer-Encoding", "chunked"),
                ],
                body: body
            )
        }
        #expect(reply.status == status)
    }
}

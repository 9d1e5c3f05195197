import OAuthSigning
import ProviderSimulator
import Testing

@Suite struct ProviderShapesTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let settings: ProviderSettings
        var options = SigningOptions()
        var agent: [String: String] = [:]
        var authorize = ""
        var callback = "oob"
        let verifierLength: Int
    }

    private static let clients = TestProvider.settings.clients
    private static let users = TestProvider.settings.users

    static let shapes = [
        Shape(
            testDescription: "Discogs, PLAINTEXT",
            settings: .discogs(clients: clients, users: users),
            options: SigningOptions(signatureMethod: .plaintext),
            agent: ["User-Agent": "test/1"],
            verifierLength: 10
        ),
        Shape(
            testDescription: "Discogs, HMAC-SHA1",
            settings: .discogs(clients: clients, users: users),
            agent: ["User-Agent": "test/1"],
            verifierLength: 10
        ),
        Shape(testDescription: "Tumblr", settings: .tumblr(clients: clients, users: users), verifierLength: 48),
        Shape(testDescription: "Flickr", settings: .flickr(clients: clients, users: users), verifierLength: 16),
        Shape(
            testDescription: "Trello",
            settings: .trello(clients: clients, users: users),
            authorize: "&name=test&expiration=never&scope=read,write",
            verifierLength: 32
        ),
        Shape(testDescription: "SmugMug", settings: .smugMug(clients: clients, users: users), verifierLength: 6),
        Shape(
            testDescription: "NetSuite",
            settings: .netSuite(account: "1234567_SB1", clients: clients, users: users),
            options: SigningOptions(signatureMethod: .hmacSHA256, realm: "1234567_SB1"),
            callback: "https://a.test/",
            verifierLength: 64
        ),
    ]

    @Test(arguments: shapes)
    func `its own way leads to a token`(shape: Shape) throws {
        let scene = scene(shape)
        let temporary = try #require(FormText(scene.temporary(callback: shape.callback, nonce: "nonce-1").text).token)
        let decided = scene.authorize("oauth_token=\(temporary.token)&approve=1\(shape.authorize)")
        let text = decided.value(of: "Location").map { $0.split(separator: "oauth_verifier=").last }
        let verifier = try #require(text ?? decided.text.split(separator: "<code>").last).prefix(shape.verifierLength)
        let granted = FormText(try scene.access(temporary, verifier: String(verifier), nonce: "nonce-3").text)
        #expect(granted.token != nil)
        #expect(granted.values["user_nsid"] == (shape.testDescription == "Flickr" ? "4711" : nil))
    }

    @Test(arguments: [
        ("Discogs, HMAC-SHA1", SigningOptions(signatureMethod: .hmacSHA256)),
        ("Tumblr", SigningOptions(signatureMethod: .plaintext)),
        ("Flickr", SigningOptions(signatureMethod: .hmacSHA256)),
        ("NetSuite", SigningOptions(realm: "1234567_SB1")),
        ("NetSuite", SigningOptions(signatureMethod: .hmacSHA256)),
        ("NetSuite", SigningOptions(signatureMethod: .hmacSHA256, realm: "1234567-sb1")),
    ])
    func `it refuses what is signed in another way`(name: String, options: SigningOptions) throws {
        let shape = try #require(Self.shapes.first { $0.testDescription == name })
        var scene = scene(shape)
        scene.options = options
        #expect([400, 401].contains(try scene.temporary(callback: shape.callback, nonce: "nonce-1").status))
    }

    @Test func `Discogs wants to know the User-Agent`() throws {
        var scene = scene(try #require(Self.shapes.first))
        scene.agent = []
        #expect(try scene.temporary().status == 401)
        scene.agent = [("User-Agent", "test/1")]
        #expect(try scene.temporary().status == 200)
    }

    @Test func `Trello's page needs its parameters`() throws {
        let shape = try #require(Self.shapes.first { $0.testDescription == "Trello" })
        let scene = scene(shape)
        let temporary = try #require(FormText(scene.temporary().text).token)
        #expect(scene.authorize("oauth_token=\(temporary.token)&approve=1&name=test").status == 400)
        #expect(scene.authorize("oauth_token=\(temporary.token)\(shape.authorize)").status == 200)
    }

    @Test func `NetSuite refuses a short nonce, PINs, and a timestamp before the last`() throws {
        let shape = try #require(Self.shapes.first { $0.testDescription == "NetSuite" })
        let scene = scene(shape)
        #expect(try scene.temporary(callback: shape.callback, nonce: "12345").status == 401)
        #expect(try scene.temporary(callback: "oob", nonce: "123456").status == 401)
        let earlier = TestProvider.now - 1
        func send(_ nonce: String, _ timestamp: UInt64) throws -> Int {
            let request = try ReceivedRequest.signed(
                "POST",
                "/rest/requesttoken",
                token: nil,
                options: shape.options,
                nonce: nonce,
                timestamp: timestamp,
                parameters: [("oauth_callback", shape.callback)]
            )
            return scene.test.send(request).status
        }
        #expect(try send("earlier", earlier) == 401)
        #expect(try send("the same", TestProvider.now) == 200)
        #expect(try send("later one", TestProvider.now + 1) == 200)
        #expect(try send("back again", TestProvider.now) == 401)
    }

    private func scene(_ shape: Shape) -> ThreeLeggedScene {
        ThreeLeggedScene(
            test: TestProvider(settings: shape.settings),
            options: shape.options,
            agent: shape.agent.map { (name: $0.key, value: $0.value) }
        )
    }
}

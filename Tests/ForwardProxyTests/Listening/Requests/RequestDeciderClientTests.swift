import NIOCore
import Routing
import Settings
import Testing

@testable import ForwardProxy

@Suite("The decision upon a request, where clients are listed")
struct RequestDeciderClientTests {
    /// As many wrong passwords as are free.
    private static let freeGuesses = 4

    /// Gives wrong passwords for a name by another connection.
    private func guess(_ count: Int, for name: String = "one", at proxy: EmbeddedProxy) throws {
        var connection = DecidedConnection(to: proxy)
        for number in 0..<count {
            let decision = try connection.get(loginField(name, "guess\(number)"))
            #expect(decision.words == "refuse 407")
        }
    }

    // MARK: Who it is

    @Test(
        "A request goes where its client may have it go",
        arguments: [
            ("GET http://api.test/", "one", "forward to api of one"),
            ("GET http://second.test/", "two", "forward to second of two"),
            ("GET http://api.test/", "two", "refuse 403 to API 0"),
            ("GET http://api.test/", "three", "refuse 407"),
            ("GET http://other.test/", "one", "pass to other.test:80 of one"),
            ("CONNECT api.test:443", "one", "intercept api.test:443 of one"),
            ("CONNECT api.test:443", "two", "refuse 403 to API 0"),
            ("CONNECT other.test:443", "one", "tunnel to other.test:443 of one"),
            ("CONNECT other.test:443", "two", "refuse 403"),
        ] as [(String, String, String)]
    )
    func clients(line: String, client: String, expected: String) throws {
        var connection = DecidedConnection(to: try EmbeddedProxy(.listed))
        let host = String(line.split(separator: " ")[1]).replacing("http://", with: "").replacing("/", with: "")
        let decision = try connection.decide(line, host: host, loginField(client))
        #expect(decision.words == expected)
        let isKnown = expected != "refuse 407"
        #expect(connection.decider.clientName == (isKnown ? client : nil))
    }

    @Test(
        "A client that has not logged in is told to",
        arguments: ["", loginField("one", "wrong"), "Authorization: Basic b25lOm9wZW4=\n", "Proxy-Authorization: x\n"],
        ["GET http://api.test/", "CONNECT api.test:443"]
    )
    func loginMissing(fields: String, line: String) throws {
        var connection = DecidedConnection(to: try EmbeddedProxy(.listed))
        let decision = try connection.decide(line, host: "api.test", fields)
        #expect(decision.problem == Problem(.clientNotAuthenticated))
        #expect(connection.decider.clientName == nil)
    }

    @Test("A wrong password takes the client's name from the connection, and is counted; none is no guess")
    func loginFailed() throws {
        let proxy = try EmbeddedProxy(.listed)
        var connection = DecidedConnection(to: proxy)
        _ = try connection.get(loginField("one"))
        for (fields, name, count) in [("", "one", 0), (loginField("one", "wrong"), nil, 1)] as [(String, String?, Int)]
        {
            let decision = try connection.get(fields)
            #expect(decision.words == "refuse 407")
            #expect(connection.decider.clientName == name)
            #expect(proxy.common.logins.counts.failed == count)
        }
    }

    // MARK: Guesses

    @Test(
        "A log-in is checked at once until as many passwords were wrong as are free, and then in turn",
        arguments: [false, true]
    )
    func turns(isOneTooMany: Bool) throws {
        let proxy = try EmbeddedProxy(.listed)
        try guess(Self.freeGuesses + (isOneTooMany ? 1 : 0), at: proxy)
        var connection = DecidedConnection(to: proxy)
        let decision = try connection.get(loginField("one"))
        guard isOneTooMany else {
            #expect(decision.words == "forward to api of one")
            return
        }
        guard case .awaitTurn(let deadline) = decision else {
            Issue.record("\(decision.words)")
            return
        }
        #expect(deadline == proxy.clock.now + .milliseconds(250))
        let late = try connection.get(loginField("one"), loginHasWaited: true)
        #expect(late.words == "forward to api of one")
    }

    @Test(
        "A right password that has waited is known to be right, whatever else its request is refused for",
        arguments: [
            ("two", "GET http://api.test/", "", "refuse 403 to API 0"),
            ("two", "CONNECT other.test:443", "", "refuse 403"),
            ("one", "CONNECT api.test:443", "", "refuse 421"),
            ("one", "GET http://second.test/", "Authorization: Bearer x\n", "refuse 403 to API 1 of one"),
        ] as [(String, String, String, String)]
    )
    func rightButRefused(client: String, line: String, fields: String, expected: String) throws {
        var setup = ProxySetup.listed
        setup.apis[1].existingAuthorization = .refuse
        let proxy = try EmbeddedProxy(setup)
        try guess(Self.freeGuesses + 1, at: proxy)
        var connection = DecidedConnection(to: proxy)
        let fields = loginField(client) + fields
        let early = try connection.decide(line, host: "else.test", fields)
        #expect(early.words == "await turn")
        let late = try connection.decide(line, host: "else.test", fields, loginHasWaited: true)
        #expect(late.words == expected)
        var other = DecidedConnection(to: proxy)
        let next = try other.decide(line, host: "else.test", fields)
        #expect(next.words == expected)
    }

    @Test(
        "The log-in of a request that is refused for its form is not looked at, whether log-ins are slowed or not",
        arguments: [0, 5]
    )
    func formless(guesses: Int) throws {
        let proxy = try EmbeddedProxy(.listed)
        try guess(guesses, at: proxy)
        for password in ["wrong", "open", "worse"] {
            var connection = DecidedConnection(to: proxy)
            let decision = try connection.decide("GET /", host: "else.test", loginField("one", password))
            #expect(decision.words == "refuse 400")
            #expect(connection.decider.identity.name == nil)
        }
        #expect(proxy.common.logins.counts.failed == guesses)
    }

    @Test("A wrong password that has waited stays wrong, and is told so at once from then on")
    func wrongAndLate() throws {
        let proxy = try EmbeddedProxy(.listed)
        try guess(Self.freeGuesses + 1, at: proxy)
        var connection = DecidedConnection(to: proxy)
        let fields = loginField("one", "another")
        for (hasWaited, expected) in [(false, "await turn"), (true, "refuse 407"), (false, "refuse 407")] {
            let decision = try connection.decide(
                "CONNECT other.test:25",
                host: "else.test",
                fields,
                loginHasWaited: hasWaited
            )
            #expect(decision.words == expected)
        }
        #expect(connection.decider.clientName == nil)
    }

    @Test("A client that is known on its connection does not wait, nor does a request without a password")
    func knownClient() throws {
        let proxy = try EmbeddedProxy(.listed)
        var (known, newcomer) = (DecidedConnection(to: proxy), DecidedConnection(to: proxy))
        _ = try known.get(loginField("one"))
        try guess(Self.freeGuesses + 1, at: proxy)
        let decisions = try [
            known.get(loginField("one")).words, newcomer.get().words, newcomer.get(loginField("one")).words,
        ]
        #expect(decisions == ["forward to api of one", "refuse 407", "await turn"])
    }

    @Test("A request that came through CONNECT does not wait, for the password of that was checked")
    func intercepted() throws {
        let proxy = try EmbeddedProxy(.listed)
        var connection = try DecidedConnection(intercepted: "api.test:443", of: "one", at: proxy)
        try guess(Self.freeGuesses + 1, for: "two", at: proxy)
        let decision = try connection.decide("GET /", host: "api.test", loginField("two"))
        #expect(decision.words == "forward to api of one")
    }

    @Test("A log-in is refused where too many others wait for their turn")
    func tooManyGuesses() throws {
        let proxy = try EmbeddedProxy(.listed)
        try guess(Self.freeGuesses + 1, at: proxy)
        var connection = DecidedConnection(to: proxy)
        var decision = try connection.get(loginField("nobody"))
        for number in 0..<100 where decision.words == "await turn" {
            decision = try connection.get(loginField("nobody\(number)"))
        }
        let problem = try #require(decision.problem)
        let seconds = try #require(problem.retryAfter)
        #expect(problem == .tooManyFailedLogins(retryAfter: seconds))
        #expect(proxy.common.logins.counts.unchecked == 1)
    }

    // MARK: Places

    private struct NoPlace: Error {}

    /// - Parameters:
    ///   - arrived: As many connections as might be when it came.
    ///   - limit: The same by now.
    private func withPlace(
        arrived: Int,
        limit: Int,
        _ body: (inout DecidedConnection, ClientPlace) throws -> Void
    ) throws {
        var setup = ProxySetup.listed
        setup.limits.connections = limit
        let proxy = try EmbeddedProxy(setup)
        let place = ClientPlace.arrive(proxy.usage(of: nil), proxy.room, limit: arrived)
        guard let place else { throw NoPlace() }
        var connection = DecidedConnection(to: proxy, place: place)
        try body(&connection, place)
        place.end()
    }

    @Test("A connection is counted for the client that logs in first, and for no other one after that")
    func claims() throws {
        try withPlace(arrived: 1, limit: 1) { connection, place in
            let decision = try connection.get(loginField("one"))
            #expect(decision.words == "forward to api of one")
            #expect(place.clientName == "one")
            let next = try connection.decide("GET http://second.test/", host: "second.test", loginField("two"))
            #expect(next.words == "forward to second of two")
            #expect(place.clientName == "one")
        }
    }

    @Test(
        "A client without a log-in is told so where its connection has a place, or can have one by now",
        arguments: [0, 1]
    )
    func placedStranger(arrived: Int) throws {
        try withPlace(arrived: arrived, limit: 1) { connection, place in
            let decision = try connection.get()
            #expect(decision.words == "refuse 407")
            #expect(place.isUnnamed)
            #expect(place.isAdmitted)
            #expect(connection.decider.identity.overLimit == nil)
        }
    }

    @Test("Without a log-in one connection too many is refused, and a wrong one is counted all the same")
    func surplusStranger() throws {
        try withPlace(arrived: 0, limit: 0) { connection, place in
            for (fields, failed) in [("", 0), (loginField("one", "wrong"), 1)] {
                let decision = try connection.get(fields)
                #expect(decision.words == "refuse connection: places")
                #expect(connection.proxy.common.logins.counts.failed == failed)
            }
            #expect(place.isUnnamed)
        }
    }

    @Test("A request waits until a place was looked for, where one too many turns out to be a client's")
    func surplusClient() throws {
        try withPlace(arrived: 0, limit: 0) { connection, place in
            let decision = try connection.get(loginField("one"))
            guard case .awaitPlace(_, let client) = decision else {
                Issue.record("\(decision.words)")
                return
            }
            #expect(decision.words == "find place of one")
            #expect(!place.isUnnamed)
            let refused = try connection.getAfterSearch(.share, for: client, loginField("one"))
            #expect(refused.words == "refuse connection: share of one")
            #expect(connection.decider.identity.overLimit == .share)
            let found = try connection.getAfterSearch(nil, for: client, loginField("one"))
            #expect(found.words == "forward to api of one")
            #expect(connection.decider.identity.overLimit == nil)
            let late = try connection.get(loginField("one"))
            #expect(late.words == "forward to api of one")
        }
    }

    @Test("A right password that has waited is known to be right, where there is no place for its connection")
    func rightWithoutPlace() throws {
        try withPlace(arrived: 0, limit: 0) { connection, _ in
            try guess(Self.freeGuesses + 1, at: connection.proxy)
            let early = try connection.get(loginField("one"))
            #expect(early.words == "await turn")
            guard case .awaitPlace(_, let client) = try connection.get(loginField("one"), loginHasWaited: true) else {
                Issue.record("a place is not looked for")
                return
            }
            _ = try connection.getAfterSearch(.share, for: client, loginField("one"), loginHasWaited: true)
            var other = DecidedConnection(to: connection.proxy)
            let next = try other.get(loginField("one"))
            #expect(next.words == "forward to api of one")
        }
    }

    @Test("A request waits until a place was looked for, where its client has its share of connections")
    func clientBeyondShare() throws {
        try withPlace(arrived: 1, limit: 10) { connection, _ in
            let client = connection.proxy.usage(of: "one")
            for _ in 0..<10 { client.takeConnectionAnyway() }
            let decision = try connection.get(loginField("one"))
            #expect(decision.words == "find place of one")
            for _ in 0..<10 { client.giveBackConnection() }
        }
    }
}

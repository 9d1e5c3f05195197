/// NetSuite: a code that tells nothing in the body, and an OAuth challenge with `error`, which may tell more.
enum NetSuiteErrors {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        let challenge = answer.challenge("oauth")
        let words = body(answer) ?? challenge?.parameters["error_description"]
        let error = challenge?.parameters["error"]
        guard let words, isLogin(words) || error.flatMap(ProblemReporting.cause) != nil else {
            guard let error, let cause = ProblemReporting.cause(of: error) else { return nil }
            return ProviderFinding(cause: cause, dialect: .netsuite, words: error)
        }
        return ProviderFinding(
            cause: error.flatMap(ProblemReporting.cause) ?? .unknown,
            dialect: .netsuite,
            words: error.map { "\($0) (\(words))" } ?? words
        )
    }

    /// Returns the message of the body, when its code is one of a login.
    private static func body(_ answer: RefusedAnswer) -> String? {
        if let error = answer.json?["error"], let code = error["code"]?.text, let message = error["message"]?.text {
            return ["INVALID_LOGIN_ATTEMPT", "INVALID_LOGIN", "USER_ERROR"].contains(code) ? message : nil
        }
        let details = answer.json?["o:errordetails"]?.elements ?? []
        return details.first { $0["o:errorcode"]?.text == "INVALID_LOGIN" }?["detail"]?.text
    }

    /// Scripts and other providers have sentences about logins that begin alike.
    private static func isLogin(_ words: String) -> Bool {
        ByteSearch.lowercased(words.utf8).starts(with: "invalid login attempt".utf8)
    }
}

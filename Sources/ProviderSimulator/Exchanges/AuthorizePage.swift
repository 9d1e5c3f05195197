import OAuthSigning

/// The page where a user approves or denies (RFC 5849, section 2.2). It takes the user's word for who they are.
///
/// - `GET` with `oauth_token` shows a form. With `approve=1` or `deny=1`, in the query or in a form body, it is
///   decided; `user` is the screen name, the provider's first user where it is left out.
/// - Then the browser is sent to the callback with `oauth_token` and `oauth_verifier`, or with `denied` and
///   `oauth_problem`; or a page shows the verifier, which a person types.
struct AuthorizePage {
    let settings: ProviderSettings

    func answer(
        _ request: ReceivedRequest,
        now: UInt64,
        _ state: inout ProviderState
    ) throws(ProviderRefusal) -> EndpointResult {
        let query = FormPairs(request.query.utf8)
        let form = request.form
        for name in settings.threeLegged.requiredAuthorizeParameters where query[name] == nil {
            throw .verification(.parameterAbsent(name: name))
        }
        guard let token = query["oauth_token"] ?? form["oauth_token"] else {
            throw .verification(.parameterAbsent(name: "oauth_token"))
        }
        guard let temporary = state.temporaryCredentials[token] else { throw .verification(.tokenRejected) }
        guard now < temporary.expiresAt else { throw .tokenExpired }
        guard temporary.stage == .undecided else { throw .tokenUsed }
        let callback = temporary.callback ?? query["oauth_callback"] ?? "oob"
        if query["deny"] ?? form["deny"] != nil {
            state.temporaryCredentials[token]?.stage = .denied
            return EndpointResult(outcome: .authorizationDenied, answer: denied(token, callback: callback))
        }
        guard query["approve"] ?? form["approve"] != nil else {
            return EndpointResult(outcome: .authorizationAsked, answer: page(request, temporary))
        }
        let name = query["user"] ?? form["user"] ?? settings.users.first?.user.screenName
        guard let user = settings.users.first(where: { $0.user.screenName == name })?.user else { throw .loginFailed }
        let verifier = settings.threeLegged.makeVerifier()
        state.temporaryCredentials[token]?.stage = .approved(user, verifier: verifier.map(Secret.init(_:)))
        return EndpointResult(
            outcome: .authorizationApproved(user),
            answer: approved(token, verifier: verifier, callback: callback)
        )
    }

    private func approved(_ token: String, verifier: String?, callback: String) -> SimulatedAnswer {
        guard CallbackAddress.isAbsolute(callback) else {
            let text = verifier.map { "<p>Type this number into the application: <code>\($0)</code></p>" }
            return Self.html(text ?? "<p>Approved. Go back to the application.</p>", status: 200)
        }
        var pairs = [("oauth_token", token)]
        if let verifier { pairs.append(("oauth_verifier", verifier)) }
        return Self.redirect(to: CallbackAddress.adding(pairs, to: callback))
    }

    private func denied(_ token: String, callback: String) -> SimulatedAnswer {
        guard CallbackAddress.isAbsolute(callback) else { return Self.html("<p>Denied.</p>", status: 200) }
        let pairs = [("denied", token), ("oauth_token", token), ("oauth_problem", "user_refused")]
        return Self.redirect(to: CallbackAddress.adding(pairs, to: callback))
    }

    private func page(_ request: ReceivedRequest, _ temporary: TemporaryCredentials) -> SimulatedAnswer {
        let options = settings.users.map { "<option>\(HTMLText.escape($0.user.screenName))</option>" }.joined()
        let text = """
            <h1>Let \(HTMLText.escape(temporary.consumerKey)) act for you?</h1>
            <form method="post" action="\(HTMLText.escape(request.target))">
            <label>You are <select name="user">\(options)</select></label>
            <button name="approve" value="1">Approve</button>
            <button name="deny" value="1">Deny</button>
            </form>
            """
        return Self.html(text, status: 200)
    }

    static func refusal(_ refusal: ProviderRefusal) -> SimulatedAnswer {
        html("<p>\(HTMLText.escape(refusal.description))</p>", status: 400)
    }

    private static func html(_ body: String, status: Int) -> SimulatedAnswer {
        let text = "<!DOCTYPE html>\n<html lang=\"en\"><title>Authorization</title>\n<body>\n\(body)\n</body></html>\n"
        return .text(text, status: status, fields: [("Cache-Control", "no-store")])
    }

    private static func redirect(to address: String) -> SimulatedAnswer {
        .text("", status: 302, fields: [("Location", address), ("Cache-Control", "no-store")])
    }
}

/// Text in an HTML document.
private enum HTMLText {
    static func escape(_ text: some StringProtocol) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}

/// The address that the browser goes to after the user has decided (RFC 5849, section 2.2).
enum CallbackAddress {
    static func isAbsolute(_ text: String) -> Bool {
        ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }

    /// The address with these pairs added to its query.
    static func adding(_ pairs: [(name: String, value: String)], to address: String) -> String {
        let query = String(decoding: FormPairs.encode(pairs), as: UTF8.self)
        let (base, fragment) = split(address)
        return base + (base.contains("?") ? "&" : "?") + query + fragment
    }

    private static func split(_ address: String) -> (base: Substring, fragment: Substring) {
        let base = address.prefix { $0 != "#" }
        return (base, address[base.endIndex...])
    }
}

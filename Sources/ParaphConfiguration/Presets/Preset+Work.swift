import OAuthSigning

extension Preset {
    static let trello = Preset(
        name: "trello",
        title: "Trello",
        hosts: ["trello.com", "api.trello.com"],
        signatureMethods: [.hmacSHA1],
        ways: [.threeLegged, .token],
        threeLegged: ThreeLeggedAddresses(
            requestToken: .path("/1/OAuthGetRequestToken"),
            authorize: .path("/1/OAuthAuthorizeToken"),
            accessToken: .path("/1/OAuthGetAccessToken")
        ),
        authorizeParameters: [
            ("name", "Paraph", "does not tell the user who asks"), ("scope", "read,write", "lets the token only read"),
            ("expiration", "never", "ends it after 30 days"),
        ],
        notes: [
            "The authorize_parameters say who asks, for what (read, write, account) and for how long (1hour, 1day, 30days, "
                + "never)."
        ],
        source: "https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/"
    )

    static let jira = atlassian(
        name: "jira",
        title: "Jira Data Center",
        hostExample: "jira.example.com",
        source: "https://developer.atlassian.com/display/JIRADEV/JIRA+REST+API+Example+-+OAuth+authentication"
    )

    static let confluence = atlassian(
        name: "confluence",
        title: "Confluence Data Center",
        hostExample: "confluence.example.com",
        source: "https://docs.atlassian.com/atlassian-oauth/2.1.1"
    )

    private static func atlassian(name: String, title: String, hostExample: String, source: String) -> Preset {
        Preset(
            name: name,
            title: title,
            hostExample: hostExample,
            options: SigningOptions(signatureMethod: .rsaSHA1),
            signatureMethods: [.rsaSHA1],
            ways: [.threeLegged, .token, .twoLegged],
            threeLegged: ThreeLeggedAddresses(
                requestToken: .path("/plugins/servlet/oauth/request-token"),
                authorize: .path("/plugins/servlet/oauth/authorize"),
                accessToken: .path("/plugins/servlet/oauth/access-token")
            ),
            notes: [
                "The public key belongs into an application link with incoming authentication; the private key stays here.",
                "Under a context path (https://example.com/\(name)) write the three addresses yourself.",
                "The cloud products have no OAuth 1.0a any more.",
            ],
            source: source
        )
    }
}

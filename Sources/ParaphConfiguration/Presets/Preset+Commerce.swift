import Credentials
import OAuthSigning

extension Preset {
    static let netSuite = Preset(
        name: "netsuite",
        title: "NetSuite",
        hostExample: "1234567-sb1.restlets.api.netsuite.com",
        options: SigningOptions(signatureMethod: .hmacSHA256),
        signatureMethods: [.hmacSHA256],
        realm: .netSuiteAccount,
        timestamps: .monotonic,
        ways: [.token, .threeLegged],
        threeLegged: ThreeLeggedAddresses(
            requestToken: .path("/rest/requesttoken"),
            authorize: .netSuiteApplication(path: "/app/login/secure/authorizetoken.nl"),
            accessToken: .path("/rest/accesstoken")
        ),
        needsRegisteredCallback: true,
        notes: [
            "The realm is the account id in capitals, with _ where the host has -; the preset makes it from the first host.",
            "No timestamp may be smaller than one before it.",
            "Of callbacks on this machine only http://localhost:PORT is taken, and it must be in the integration record.",
            "The parameters script and deploy of a RESTlet are part of the query, and signed with it.",
        ],
        source: "https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_156338994830.html"
    )

    static let mastercard = Preset(
        name: "mastercard",
        title: "Mastercard",
        hosts: ["api.mastercard.com", "sandbox.api.mastercard.com"],
        options: SigningOptions(signatureMethod: .rsaSHA256, bodyHash: .always),
        signatureMethods: [.rsaSHA256],
        ways: [.twoLegged],
        notes: [
            "The key comes as PKCS#12; take it out with: openssl pkcs12 -in KEY.p12 -nocerts -nodes -out key.pem",
            "Every body is hashed, the empty one and forms too; the parameters of a form are not signed one by one.",
            "There is no token: the consumer key and the private key are all.",
        ],
        source: "https://developer.mastercard.com/platform/documentation/security-and-authentication/"
            + "using-oauth-1a-to-access-mastercard-apis/"
    )

    static let magento = Preset(
        name: "magento",
        title: "Magento (Adobe Commerce)",
        hostExample: "shop.example.com",
        options: SigningOptions(signatureMethod: .hmacSHA256),
        signatureMethods: [.hmacSHA256, .hmacSHA1],
        ways: [.token],
        notes: [
            "Activating an integration shows all four credentials (System > Extensions > Integrations).",
            "Versions before HMAC-SHA256 was introduced want signature_method: HMAC-SHA1.",
            "Brackets in a query (searchCriteria[pageSize]) are signed however the client encodes them.",
        ],
        source: "https://developer.adobe.com/commerce/webapi/get-started/authentication/gs-authentication-oauth"
    )

    static let wooCommerce = Preset(
        name: "woocommerce",
        title: "WooCommerce",
        hostExample: "shop.example.com",
        options: SigningOptions(signatureMethod: .hmacSHA256, placement: .query),
        signatureMethods: [.hmacSHA256, .hmacSHA1],
        ways: [.twoLegged],
        notes: [
            "The protocol parameters go into the query, because some hosting strips the Authorization field.",
            "A shop without https needs upstream: http, which the preset never sets by itself.",
        ],
        source: "https://woocommerce.github.io/woocommerce-rest-api-docs/#authentication-over-http"
    )
}

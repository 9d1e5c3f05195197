/// The one request of the demo: X's documentation signs the same one.
enum DemoRequest {
    static let method = "POST"
    static let target = "/1.1/statuses/update.json?include_entities=true"
    static let body = "status=Hello%20Ladies%20%2B%20Gentlemen%2C%20a%20signed%20OAuth%20request%21"
    static let contentType = "application/x-www-form-urlencoded"
    static let host = "api.demo.test"

    static var url: String { "https://\(host)\(target)" }
}

/// Whom all requests are signed for. Made up.
enum BenchmarkAccount {
    static let consumerKey = "benchConsumerKey0123456789"
    static let consumerSecret = "benchConsumerSecret0123456789abcdefghijklmnopqrst"
    static let token = "12345678-benchAccessToken0"
    static let tokenSecret = "benchAccessTokenSecret0123456789abcdefghijkl"
}

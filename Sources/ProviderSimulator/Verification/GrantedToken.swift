/// Token credentials that were issued, by hand or by an exchange.
struct GrantedToken: Sendable {
    var token: AcceptedToken
    var status = TokenStatus.active
}

/// The place of the local certification authority: PEM files, made at first start.
package struct AuthorityPaths: Hashable, Sendable {
    package var certificate: String
    package var privateKey: String
}

package import FoundationEssentials

extension LocalAuthority {
    /// Makes a CA that Paraph made anew, confined to these hosts. The files are replaced so that a crash leaves a whole
    /// CA; the old certificate is kept beside the new one. Proxies that run go on with the old one until they load it.
    ///
    /// - Parameter withNewKey: False keeps key and subject, so that leaves are good for clients that have either
    ///   certificate, as far as that one reaches. With true the clients must have the new certificate first.
    /// - Throws: Among others ``LocalAuthorityError/missing(path:)`` and ``LocalAuthorityError/notParaphs(path:)``.
    package static func renew(
        certificatePath: String,
        keyPath: String,
        reach: AuthorityReach,
        withNewKey: Bool,
        now: Date
    ) throws(LocalAuthorityError) -> AuthorityRenewal {
        try AuthorityFiles(certificatePath: certificatePath, keyPath: keyPath)
            .renew(reach: reach, withNewKey: withNewKey, now: now)
    }
}

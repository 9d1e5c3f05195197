#if LIBOAUTH
    import CLiboauth
    import Glibc

    /// The same GET signed by C's liboauth, which makes nonce and timestamp itself.
    enum LiboauthSigner {
        private static let url = "https://\(SigningCase.authority)\(SigningCase.target)"

        /// Bytes of the parameters as they are sent in the `Authorization` field.
        static func sign() -> Int {
            var parameters: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
            var count = oauth_split_url_parameters(url, &parameters)
            oauth_sign_array2_process(
                &count,
                &parameters,
                nil,
                OA_HMAC,
                "GET",
                BenchmarkAccount.consumerKey,
                BenchmarkAccount.consumerSecret,
                BenchmarkAccount.token,
                BenchmarkAccount.tokenSecret
            )
            guard let field = liboauth_authorization(count, parameters) else { return 0 }
            defer {
                free(field)
                oauth_free_array(&count, &parameters)
            }
            return strlen(field)
        }
    }
#endif

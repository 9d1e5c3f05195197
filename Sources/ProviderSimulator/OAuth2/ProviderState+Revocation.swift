extension ProviderState {
    mutating func revokeAccessTokens(where isRevoked: (GrantedAccessToken) -> Bool) {
        for (token, issued) in accessTokens where isRevoked(issued) { accessTokens[token]?.status = .revoked }
    }

    mutating func revokeRefreshTokens(where isRevoked: (IssuedRefreshToken) -> Bool) {
        for (token, issued) in refreshTokens where isRevoked(issued) { refreshTokens[token]?.status = .revoked }
    }
}

import ArgumentParser
import Credentials

extension ExchangeFailure {
    /// As sysexits has them: 65 for what the configuration can mend, 69 for what waiting may mend, 77 for a refusal.
    var exitCode: ExitCode {
        switch cause {
        case .unreachable, .notTrusted, .timedOut, .limited, .providerFailed: .unavailable
        case .signatureRefused, .clientRefused, .loginRefused, .notPermitted, .tokenRefused, .verifierRefused,
            .clockRefused, .parametersRefused, .refused, .tokenMismatch:
            .refused
        case .settings, .vaultUnreadable, .redirected, .emptyAnswer, .pageAnswered, .unexpectedAnswer,
            .oversizedAnswer, .tokenTypeUnusable, .callbackUnconfirmed, .verifierMissing:
            .badData
        }
    }
}

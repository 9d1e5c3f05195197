import ArgumentParser
import OAuthSigning
import SignatureComparison

/// Says what is wrong with the data that a command was given, and ends it with the exit code for that.
enum GivenData {
    static func reporting(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch ExplainError.unsignable(.privateKeyMissing) {
            StandardError.print(
                "paraph: The RSA methods sign with a private key: give --private-key-file FILE, or an --account that has one."
            )
            throw ExitCode.badData
        } catch let error as MissingCredential {
            StandardError.print("paraph: \(error)")
            throw ExitCode.validationFailure
        } catch
            where error is ExplainError || error is SecretSourceError || error is ComparisonError
            || error is SigningError || error is GivenRequestError || error is SigningAccountError
        {
            StandardError.print("paraph: \(error)")
            throw ExitCode.badData
        }
    }
}

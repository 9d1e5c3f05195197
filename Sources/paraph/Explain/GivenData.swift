import ArgumentParser
import OAuthSigning
import SignatureComparison

/// Says what is wrong with the data that a command was given, and ends it with the exit code for that.
enum GivenData {
    static func reporting(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as MissingCredential {
            StandardError.print("paraph: \(error)")
            throw ExitCode.validationFailure
        } catch
            where error is ExplainError || error is SecretSourceError || error is ComparisonError
            || error is SigningError
        {
            StandardError.print("paraph: \(error)")
            throw ExitCode.badData
        }
    }
}

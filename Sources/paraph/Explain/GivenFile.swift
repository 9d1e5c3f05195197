import ArgumentParser
import Files
import OAuthSigning
import ParaphConfiguration
import SignatureComparison
import SystemPackage

/// A file that a command is told to read.
enum GivenFile {
    /// All bytes of it.
    static func read(_ path: String) async throws(SecretSourceError) -> [UInt8] {
        try await BlockingWork.run { () throws(SecretSourceError) -> [UInt8] in try read(path) }
    }

    /// The same for a command that is not on the concurrency pool.
    static func read(_ path: String) throws(SecretSourceError) -> [UInt8] {
        do throws(Errno) {
            return try FileContents.read(path)
        } catch {
            throw .fileNotReadable(path, reason: error.reason)
        }
    }

    /// `text` itself, or what standard input has in place of `-`: for what should not stand in the list of processes.
    static func textOrInput(_ text: String) async throws(SecretSourceError) -> String {
        if text != "-" { return text }
        do throws(Errno) {
            let bytes = try await BlockingWork.run { () throws(Errno) in try FileDescriptor.standardInput.readAll() }
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw .fileNotReadable("standard input", reason: error.reason)
        }
    }
}

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

/// The reason why a secret, or a body, that is kept elsewhere cannot be had.
enum SecretSourceError: Error, CustomStringConvertible {
    case variableNotSet(String)
    /// The file cannot be read; the reason is in the system's words.
    case fileNotReadable(String, reason: String)

    var description: String {
        switch self {
        case .variableNotSet(let name):
            "\(ShownName.variable(name).capitalizedSentence) is not set; give a variable's name, without a $."
        case .fileNotReadable(let path, let reason): "The file \(path) cannot be read: \(reason)."
        }
    }
}

extension String {
    /// The same with a capital at its beginning.
    fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() }
}

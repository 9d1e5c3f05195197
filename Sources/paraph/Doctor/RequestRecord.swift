import Credentials
import Files
import ForwardProxy
import FoundationEssentials
import SystemPackage

/// The access log of a proxy that one client at a time uses.
final class RequestRecord: Sendable {
    struct NotMade: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path) cannot be written: \(reason)" }
    }

    /// The part of a line of the log that is of interest.
    struct Entry: Decodable {
        let account: String?
        let error: String?
        let cause: String?
        let diagnosis: String?
        let details: String?

        /// Indicates whether the provider has refused, in words that are known, what the configuration says that
        /// requests are authorized by: another client would be refused likewise.
        var isRefusal: Bool {
            cause.flatMap(ExchangeFailure.Cause.init).map(Self.refusals.contains)
                ?? diagnosis.flatMap(ProviderDiagnosis.Cause.init).map(Self.diagnoses.contains) ?? false
        }

        private static let refusals: Set<ExchangeFailure.Cause> = [
            .signatureRefused, .clientRefused, .loginRefused, .tokenRefused, .notPermitted, .parametersRefused,
        ]
        private static let diagnoses: Set<ProviderDiagnosis.Cause> = [
            .signatureInvalid, .signatureMethodRejected, .consumerKeyUnknown, .consumerKeyRefused, .tokenRefused,
            .realmWrong,
            .accountLocked,
        ]
    }

    let sink: LogSink
    private let path: String
    private let file: FileDescriptor

    init(path: String) throws(NotMade) {
        do throws(Errno) {
            file = try FileContents.append(to: path)
        } catch {
            throw NotMade(path: path, reason: error.reason)
        }
        self.path = path
        sink = LogSink(descriptor: file.rawValue)
    }

    /// Drops what has come so far, which is of no interest any more.
    func forget() async {
        await BlockingWork.run { [file] in _ = try? file.resize(to: 0) }
    }

    /// The last request since then. Lines are written a tenth of a second late.
    func wait() async -> Entry? {
        for _ in 0..<20 {
            if let entry = await last() { return entry }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return await last()
    }

    private func last() async -> Entry? {
        let bytes = await BlockingWork.run { [path] in (try? FileContents.read(path)) ?? [] }
        return bytes.split(separator: UInt8(ascii: "\n")).last.flatMap {
            try? JSONDecoder().decode(Entry.self, from: Data($0))
        }
    }
}

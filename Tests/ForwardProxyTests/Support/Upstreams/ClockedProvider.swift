import Bytes
import OAuthSigning
import Synchronization

/// A provider whose clock stands in 1994, for ``ScriptedProvider``. It takes signatures of that hour.
final class ClockedProvider: Sendable {
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let time: UInt64 = 784_111_777
    /// The test may last for an hour.
    static let acceptable = time...(time + 3600)

    private let nonces = Mutex<[String]>([])
    private let timestamps = Mutex<[UInt64]>([])
    private let scheme: URIScheme
    private let refusal: String

    /// - Parameter fields: The fields of a refusal.
    init(
        scheme: URIScheme = .https,
        fields: String = "Date: \(date)\n",
        body: String = "oauth_problem=timestamp_refused"
    ) {
        self.scheme = scheme
        refusal = ScriptedProvider.answer("401 Unauthorized", body, fields: fields)
    }

    /// Indicates whether no signature came twice.
    var saysOnce: Bool { nonces.withLock { Set($0).count == $0.count } }

    /// The timestamps that it took, in the order that the requests came.
    var accepted: [UInt64] { timestamps.withLock { $0 } }

    /// Echoes the body of what it accepts.
    func answer(_ request: Message) -> String {
        guard let verified = try? verify(request, scheme: scheme), let nonce = verified["oauth_nonce"],
            let timestamp = verified["oauth_timestamp"].flatMap({ UInt64($0) })
        else { return ScriptedProvider.answer("400 Bad Request", "oauth_problem=signature_invalid") }
        nonces.withLock { $0.append(nonce) }
        guard Self.acceptable.contains(timestamp) else { return refusal }
        timestamps.withLock { $0.append(timestamp) }
        return ScriptedProvider.answer("200 OK", request.body)
    }
}

@testable import CredentialStores
import Foundation

/// The operations of an administrator of etcd.
extension EtcdClient {
    private struct Anything: Decodable {}

    private struct Status: Decodable {
        let header: Header
        let leader: String?

        struct Header: Decodable {
            let member: String

            private enum CodingKeys: String, CodingKey {
                case member = "member_id"
            }
        }
    }

    /// Indicates whether the others follow the server that requests go to.
    var isLeader: Bool {
        get async throws {
            let status: Status = try await send(Data("{}".utf8), to: "/v3/maintenance/status", at: current.endpoint)
            return status.leader == status.header.member
        }
    }

    /// The newest revision.
    var revision: Int64 {
        get async throws {
            try await send(EtcdRange(key: EtcdBytes("-"))).header.revision?.value ?? 0
        }
    }

    /// Forgets what was before a revision.
    func compact(at revision: Int64) async throws {
        try await call("/v3/kv/compaction", #"{"revision":"\#(revision)","physical":true}"#)
    }

    /// Writes values that nobody can open.
    func fill(prefix: String, count: Int, bytes: Int) async throws {
        let value = EtcdBytes(Data(repeating: 0x55, count: bytes))
        for first in stride(from: 0, to: count, by: 100) {
            let changes = (first..<min(first + 100, count)).map { number in
                EtcdTransaction.Change.put(value, at: EtcdBytes("\(prefix)\(number)"))
            }
            _ = try await send(EtcdTransaction(if: [], changes, otherwiseReading: []))
        }
    }

    /// Asks for passwords from now on: root's, and that of a user who may use no key.
    func enableUsers(_ user: String, password: String) async throws {
        for (name, password) in [("root", "root"), (user, password)] {
            try await call("/v3/auth/user/add", #"{"name":"\#(name)","password":"\#(password)"}"#)
            try await call("/v3/auth/role/add", #"{"name":"\#(name)"}"#)
            try await call("/v3/auth/user/grant", #"{"user":"\#(name)","role":"\#(name)"}"#)
        }
        try await call("/v3/auth/enable", "{}")
    }

    /// Lets a user use all keys with a prefix.
    /// - Parameter kind: `READ`, `WRITE` or `READWRITE`.
    func permit(_ user: String, prefix: String, _ kind: String = "READWRITE") async throws {
        let key = Data(prefix.utf8)
        try await call(
            "/v3/auth/role/grant",
            #"{"name":"\#(user)","perm":{"permType":"\#(kind)","key":"\#(key.base64EncodedString())","range_end":""#
                + EtcdVault.end(ofPrefix: key).base64EncodedString() + #""}}"#
        )
    }

    /// Sends a request, however often the servers choose another leader meanwhile.
    private func call(_ path: String, _ body: String) async throws {
        var isRepeated = false
        while true {
            do throws(ServerFailure) {
                let _: Anything = try await send(Data(body.utf8), to: path, at: current.endpoint)
                return
            } catch {
                guard case .refusal(let refusal) = error else { throw error }
                if isRepeated, refusal.words.contains("already exists") { return }
                guard refusal.isOfServer else { throw error }
            }
            isRepeated = true
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

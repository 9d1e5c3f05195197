import CredentialStores
import Foundation
import NIOCore
import Settings
import TestSupport

/// Servers of etcd that have everything in common, of a test's own.
final class EtcdCluster: Sendable {
    let servers: [EtcdServer]

    /// Returns when all of them answer.
    init(count: Int = 3) async throws {
        let places = try (0..<count).map { try EtcdServer.Place(name: "server-\($0)") }
        servers = try places.map { try EtcdServer($0, of: places) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { try await server.start() } }
            try await group.waitForAll()
        }
    }

    /// Runs something with a client of some of the servers, in the order in which they are to be tried.
    func withClient<Value>(
        of indices: [Int]? = nil,
        user: EtcdSettings.User? = nil,
        timeout: TimeAmount = .seconds(60),
        _ body: (EtcdClient) async throws -> Value
    ) async throws -> Value {
        let endpoints = (indices ?? Array(servers.indices)).map { servers[$0].endpoint }
        return try await EtcdClient.with(endpoints, user: user, timeout: timeout, body)
    }

    /// The index of the server that the others follow, as soon as there is one that they all name.
    var leader: Int {
        get async throws {
            while true {
                for index in servers.indices where try await withClient(of: [index], { try await $0.isLeader }) {
                    return index
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}

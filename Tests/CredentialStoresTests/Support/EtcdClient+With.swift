import CredentialStores
import NIOCore
import Settings

extension EtcdClient {
    /// Runs something with a client, which is closed afterwards.
    ///
    /// - Parameter timeout: The time for an answer, longer than a server of a test's own may take, unless that is to be
    ///   silent.
    static func with<Value>(
        _ endpoints: [EtcdEndpoint],
        user: EtcdSettings.User? = nil,
        timeout: TimeAmount = .seconds(60),
        _ body: (EtcdClient) async throws -> Value
    ) async throws -> Value {
        let client = EtcdClient(endpoints: endpoints, user: user, timeout: timeout)
        let value: Value
        do {
            value = try await body(client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
        return value
    }
}

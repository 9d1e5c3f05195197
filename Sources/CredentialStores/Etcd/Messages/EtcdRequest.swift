/// A request of the JSON gateway of etcd: where it goes, and what it is answered with.
protocol EtcdRequest: Encodable, Sendable {
    associatedtype Response: Decodable & Sendable

    static var path: String { get }
}

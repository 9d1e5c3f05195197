/// The beginning of every answer of etcd.
struct EtcdHeader: Decodable, Sendable {
    /// The revision of all that etcd keeps.
    let revision: EtcdNumber?
}

/// What every answer of etcd begins with.
struct EtcdHeader: Decodable, Sendable {
    /// The revision of all that etcd keeps.
    let revision: EtcdNumber?
}

/// `http2`: a switch for each side, or one for both.
struct HTTP2Reading {
    /// Indicates whether clients of intercepted hosts are offered HTTP/2.
    private(set) var clients = true
    /// Indicates whether HTTP/2 is spoken with servers that offer it; an API may say otherwise.
    private(set) var upstreams = true

    init(_ root: Section) {
        guard let value = root["http2"], !value.isNull else { return }
        guard value.isMapping else {
            guard value.scalar.flatMap(Value.switchState) != nil, let isOn = value.isOn() else {
                value.report("must be on, off, or a switch for each side, like {clients: on, upstreams: off}")
                return
            }
            clients = isOn
            upstreams = isOn
            return
        }
        guard let section = value.section() else { return }
        defer { section.finish() }
        section["clients"]?.isOn().map { clients = $0 }
        section["upstreams"]?.isOn().map { upstreams = $0 }
    }
}

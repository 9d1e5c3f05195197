extension HTTP2Use {
    /// `http2`: a switch for each side, or one for both.
    static func read(_ root: Section) -> HTTP2Use {
        var use = HTTP2Use()
        guard let value = root["http2"], !value.isNull else { return use }
        guard value.isMapping else {
            guard value.scalar.flatMap(Value.switchState) != nil, let isOn = value.isOn() else {
                value.report("must be on, off, or a switch for each side, like {clients: on, upstreams: off}")
                return use
            }
            use.clients = isOn
            use.upstreams = isOn
            return use
        }
        guard let section = value.section() else { return use }
        defer { section.finish() }
        section["clients"]?.isOn().map { use.clients = $0 }
        section["upstreams"]?.isOn().map { use.upstreams = $0 }
        return use
    }
}

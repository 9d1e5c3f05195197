import Glibc

/// The fuzz target that this process runs.
enum Selection {
    private static let targets: [any FuzzTarget.Type] = [
        RequestsTarget.self, ResponsesTarget.self, HeaderBlocksTarget.self, HTTP2FramesTarget.self,
        HTTP2ConversationTarget.self, BaseStringTarget.self, ConfigurationTarget.self, ChainsTarget.self,
        AnswersTarget.self, JSONTarget.self, ScrubberTarget.self, VaultTarget.self, EnrolmentTarget.self,
        AddressesTarget.self, ComparisonTarget.self, RedactionTarget.self, TraceParentTarget.self,
    ]

    static let target: any FuzzTarget.Type = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        if let target = targets.first(where: { $0.name == name }) { return target }
        // `FUZZ_TARGET=list` is how the script learns the names.
        for target in targets { print(target.name) }
        exit(name == "list" ? 0 : 2)
    }()
}

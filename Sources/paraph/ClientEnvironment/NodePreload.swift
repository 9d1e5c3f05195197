import Bytes

/// The script that makes Node use a proxy where it does not by itself. Node does from 22.21 and 24.5 on, told by
/// `NODE_USE_ENV_PROXY`; this does the same for those before, and for those has plain `http:` forwarded, not tunnelled.
enum NodePreload {
    /// `NODE_OPTIONS` with what is there, and the script.
    static func options(present: String, file: String) -> String {
        let path =
            file.utf8.contains(where: { " \"\\".utf8.contains($0) })
            ? "\"" + file.escaping("\\\"") + "\"" : file
        let own = "--require=\(path)"
        if present.split(separator: " ").contains(Substring(own)) { return present }
        return present.isEmpty ? own : "\(present) \(own)"
    }

    /// CommonJS. The agents that `http` and `https` use when they are given none go through the proxy, and what `fetch`
    /// uses; a program that makes its own agents decides for itself, as it does with Node's own support.
    static let script = String(decoding: PackageResources.NodePreload_js, as: UTF8.self)
}

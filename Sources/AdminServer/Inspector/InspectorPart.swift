import HTTPTypes
import Hummingbird
import NIOCore

/// A part of the inspector's page: public, since no data is in it.
enum InspectorPart: String, CaseIterable {
    case page = ""
    case style = "inspector.css"
    case icon = "icon.svg"
    case main = "main.mjs"
    case dom = "dom.mjs"
    case connection = "connection.mjs"
    case list = "list.mjs"
    case detail = "detail.mjs"
    case baseString = "basestring.mjs"
    case copying = "copying.mjs"
    case views = "views.mjs"

    /// - Parameter path: The path of the page, or of what the page names.
    init?(path: String) {
        if path == "/" {
            self = .page
            return
        }
        let folder = "/inspector/"
        guard path.hasPrefix(folder), path != folder else { return nil }
        self.init(rawValue: String(path.dropFirst(folder.count)))
    }

    private var type: String {
        switch self {
        case .page: "text/html; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        case .icon: "image/svg+xml"
        case .main, .dom, .connection, .list, .detail, .baseString, .copying, .views: "text/javascript; charset=utf-8"
        }
    }

    private var bytes: [UInt8] {
        switch self {
        case .page: PackageResources.inspector_html
        case .style: PackageResources.inspector_css
        case .icon: PackageResources.icon_svg
        case .main: PackageResources.main_mjs
        case .dom: PackageResources.dom_mjs
        case .connection: PackageResources.connection_mjs
        case .list: PackageResources.list_mjs
        case .detail: PackageResources.detail_mjs
        case .baseString: PackageResources.basestring_mjs
        case .copying: PackageResources.copying_mjs
        case .views: PackageResources.views_mjs
        }
    }

    /// The page runs and loads what this listener serves, and nothing else; no other page frames it or sees what it is.
    private static let protection: HTTPFields = {
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'",
            "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ]
        var fields: HTTPFields = [
            .contentSecurityPolicy: policy.joined(separator: "; "), .xContentTypeOptions: "nosniff",
        ]
        let others = [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Embedder-Policy", "require-corp"),
            ("X-Frame-Options", "DENY"), ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ]
        for (name, value) in others {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }()

    var answer: Response {
        var fields = Self.protection
        fields[.contentType] = type
        fields[.cacheControl] = "no-store"
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

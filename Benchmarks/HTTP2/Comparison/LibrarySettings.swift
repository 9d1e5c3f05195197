import HTTP2Codec
import NIOHTTP2

/// Settings of the library that announce what Paraph's codec announces; its checks and limits are as they come.
enum LibrarySettings {
    private static let ours = HTTP2Codec.HTTP2Settings()
    static let connectionWindow = ours.connectionWindow

    static func connection(_ role: Role) -> NIOHTTP2Handler.ConnectionConfiguration {
        var settings = [
            HTTP2Setting(parameter: .initialWindowSize, value: ours.initialWindow),
            HTTP2Setting(parameter: .maxFrameSize, value: ours.maxFrameSize),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 65_536),
        ]
        switch role {
        case .server: settings.append(HTTP2Setting(parameter: .maxConcurrentStreams, value: ours.maxConcurrentStreams))
        case .client: settings.append(HTTP2Setting(parameter: .enablePush, value: 0))
        }
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = settings
        configuration.targetWindowSize = ours.connectionWindow
        return configuration
    }

    static var stream: NIOHTTP2Handler.StreamConfiguration {
        var configuration = NIOHTTP2Handler.StreamConfiguration()
        configuration.targetWindowSize = ours.initialWindow
        return configuration
    }
}

import Bytes
import Inspection

extension UpstreamConnectionCounts {
    var json: JSONText {
        .object([("idle", .integer(idle)), ("in_use", .integer(inUse)), ("waiting", .integer(waiting))])
    }
}

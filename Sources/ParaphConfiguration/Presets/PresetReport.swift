import Credentials
import OAuthSigning

/// A preset as `paraph presets --json` prints it.
package struct PresetReport: Encodable {
    private let name: String
    private let title: String
    private let hosts: [String]
    private let hostExample: String?
    private let signatureMethods: [String]
    private let ways: [String]
    private let placement: String
    private let bodyHash: String
    private let timestamp: String
    private let notes: [String]
    private let source: String

    private enum CodingKeys: String, CodingKey {
        case name, title, hosts, ways, placement, timestamp, notes, source
        case hostExample = "host_example"
        case signatureMethods = "signature_methods"
        case bodyHash = "body_hash"
    }

    package init(_ preset: Preset) {
        name = preset.name
        title = preset.title
        hosts = preset.hosts
        hostExample = preset.hosts.isEmpty ? preset.hostExample : nil
        signatureMethods = preset.signatureMethods.map(\.rawValue)
        ways = preset.ways.map(\.rawValue)
        placement = preset.options.placement.rawValue
        bodyHash = preset.options.bodyHash.rawValue
        timestamp = preset.timestamps.rawValue
        notes = preset.remarks
        source = preset.source
    }
}

/// Presets as `paraph presets` lists them: a line each, in columns.
package enum PresetTable {
    package static func text(_ presets: [Preset] = Preset.all) -> String {
        let rows =
            [["NAME", "HOSTS", "SIGNS WITH", "WAYS TO A TOKEN"]]
            + presets.map { preset in
                [
                    preset.name,
                    preset.hosts.isEmpty ? "yours, like \(preset.hostExample)" : preset.hosts.joined(separator: ", "),
                    preset.options.signatureMethod.rawValue,
                    preset.ways.map(\.rawValue).joined(separator: ", "),
                ]
            }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ") + "  "
                + row[3]
        }.joined(separator: "\n")
    }
}

import OAuthSigning

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

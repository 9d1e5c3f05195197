import ArgumentParser
import FoundationEssentials
import ParaphConfiguration

/// Lists what is known of providers.
struct Presets: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "List the providers that a configuration can name as a preset.",
        discussion: """
            With a name, prints a configuration to paste: what you must give, what the preset fills (as comments), and \
            what is odd about the provider.
            """
    )

    @Argument(help: "The preset to print.", completion: .list(Preset.all.map(\.name)))
    var name: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        guard let name else {
            if json {
                StandardOutput.print(json: try encoded(Preset.all.map(PresetReport.init)))
            } else {
                StandardOutput.print(PresetTable.text())
            }
            return
        }
        guard let preset = Preset.named(name) else {
            let near = Preset.name(near: name).map { "; did you mean \($0)?" } ?? "; `paraph presets` lists them"
            throw ValidationError("there is no preset of this name\(near)")
        }
        if json {
            StandardOutput.print(try encoded(PresetReport(preset)))
        } else {
            StandardOutput.print(preset.yaml, terminator: "")
        }
    }

    private func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

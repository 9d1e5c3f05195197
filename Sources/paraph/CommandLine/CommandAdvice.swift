import ArgumentParser
import ParaphConfiguration

/// The sentence that a mistake on the command line gets instead of the library's, where more can be said.
struct CommandAdvice {
    private let words: [String]
    private let path: [String]
    private let command: any ParsableCommand.Type
    /// The word in the place of a command below it that there is not.
    private let unknownWord: String?

    /// - Parameters:
    ///   - arguments: The words after the program's name.
    ///   - root: The program's command.
    init(_ arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
        var path = [root._commandName]
        var command = root
        var unknownWord: String?
        words = arguments.prefix { $0 != "--" }
        for word in words {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { break }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                unknownWord = word
                break
            }
            path.append(word)
            command = next
        }
        self.path = path
        self.command = command
        self.unknownWord = unknownWord
    }

    /// The sentence to print; nil where there is nothing to say.
    var sentence: String? {
        let name = path.joined(separator: " ")
        if let unknownWord {
            let names = command.configuration.subcommands
                .filter { $0.configuration.shouldDisplay }
                .map { $0._commandName }
            let advice =
                NearestWord.to(unknownWord, among: names).map { "Did you mean: \(name) \($0)" }
                ?? "There are \(names.joined(separator: ", "))."
            return "\(unknownWord) is no command of \(name). \(advice)"
        }
        if let (option, indirect) = secretOption {
            return "\(option) is no option of \(name), for others can see what is on a command line. Did you mean: "
                + indirect + (indirect.hasSuffix("-env") ? " NAME, the name of an environment variable" : " FILE")
        }
        return unknownOption.map { optionAdvice($0, name) } ?? fileAdvice(name)
    }

    /// The sentence for `paraph help WORD`, which the library answers by the help of the command before it; nil where
    /// there is such a command.
    static func sentence(onHelpOf words: some Sequence<String>, of root: any ParsableCommand.Type) -> String? {
        let advice = CommandAdvice(words, of: root)
        return advice.unknownWord == nil ? nil : advice.sentence
    }

    private func optionAdvice(_ option: String, _ name: String) -> String {
        let nameless = "\(option) is no option of \(name)"
        let near = option == "-V" ? "--version" : NearestWord.to(option, among: options.map(\.name))
        if let near { return "\(nameless). Did you mean: \(near)" }
        let commands = command.configuration.subcommands.filter { command in
            Self.options(of: command).contains { $0.name == option }
        }
        guard let command = commands.first(where: { $0._commandName == "run" }) ?? commands.first else {
            return "\(nameless)."
        }
        return "\(nameless), but of its commands. Write it behind one, as in: \(name) \(command._commandName) \(option)"
    }

    /// The file that somebody wants the configuration to be.
    private func fileAdvice(_ name: String) -> String? {
        guard let option = options.first(where: { $0.name == "--config" && $0.takesValue }),
            let file = positionals.first(where: { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") })
        else { return nil }
        return "The configuration's file has an option. Did you mean: \(name) \(option.name) \(file)"
    }

    // MARK: Options

    private struct Option {
        var name: String
        var takesValue: Bool
    }

    private var options: [Option] { Self.options(of: command) }

    /// Returns the options of a command, as its help lists them.
    private static func options(of command: any ParsableCommand.Type) -> [Option] {
        command.helpMessage(columns: 1_000).split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
            let names = line.drop { $0 == " " }.split(separator: "  ").first ?? ""
            let takesValue = names.hasSuffix(">") || names.contains("> ")
            return names.split(separator: " ").filter { $0.hasPrefix("-") }.map { name in
                Option(name: String(name.filter { $0 != "," }), takesValue: takesValue)
            }
        }
    }

    /// The words that are neither options nor their values, without the commands.
    private var positionals: [String] { plainWords.filter { !$0.hasPrefix("-") } }

    /// The first option that there is not.
    private var unknownOption: String? {
        // A number may be negative.
        plainWords.filter { $0.hasPrefix("-") && $0.count > 1 && $0.dropFirst().first?.isNumber == false }
            .map { String($0.prefix { $0 != "=" }) }
            .first { word in !options.contains { $0.name == word } }
    }

    /// The words behind the commands, without the values of options.
    private var plainWords: [String] {
        var found: [String] = []
        var isValue = false
        for word in words.dropFirst(path.count - 1) {
            if !isValue { found.append(word) }
            isValue = !isValue && options.contains { $0.name == word && $0.takesValue }
        }
        return found
    }

    /// An option that there is not, and the one that takes from elsewhere what was given to it.
    private var secretOption: (String, String)? {
        let help = command.helpMessage(columns: 1_000)
        for word in words where word.hasPrefix("--") {
            let option = String(word.prefix { $0 != "=" })
            guard !help.contains("\(option) ") else { continue }
            if let indirect = ["-env", "-file"].map({ option + $0 }).first(where: { help.contains("\($0) <") }) {
                return (option, indirect)
            }
        }
        return nil
    }
}

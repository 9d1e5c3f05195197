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

    /// Nil where there is nothing to say.
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
        guard let (option, indirect) = secretOption else { return nil }
        return "\(option) is no option of \(name), for others can see what is on a command line. Did you mean: "
            + indirect + (indirect.hasSuffix("-env") ? " NAME, the name of an environment variable" : " FILE")
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

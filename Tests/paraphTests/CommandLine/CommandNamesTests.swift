import ArgumentParser
import Testing

@testable import paraph

@Suite("Commands' names")
struct CommandNamesTests {
    // ArgumentParser asks the run time for the type's name otherwise, which took a fifth of the time that a command
    // takes to begin.
    @Test("Each command says its own")
    func names() {
        var commands: [any ParsableCommand.Type] = [Paraph.self]
        while let command = commands.popLast() {
            #expect(command.configuration.commandName != nil, "\(command)")
            commands += command.configuration.subcommands
        }
    }
}

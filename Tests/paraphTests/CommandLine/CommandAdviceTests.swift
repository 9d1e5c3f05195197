@testable import paraph
import Testing

@Suite("Advice on what is wrong on a command line") struct CommandAdviceTests {
    private func advice(_ line: String) -> String? {
        CommandAdvice(line.split(separator: " ").map(String.init), of: Paraph.self).sentence
    }

    @Test(
        "The command that was meant is named",
        arguments: [
            ("exce", "exec"), ("runn", "run"), ("rnu --config x", "run"), ("chek", "check"),
            ("acounts list", "accounts"), ("accounts lst", "accounts list"), ("ca exprot --out x", "ca export"),
        ]
    )
    func meant(_ line: String, _ command: String) throws {
        let sentence = try #require(advice(line))
        #expect(sentence.hasSuffix("Did you mean: paraph \(command)"))
    }

    @Test("Where none is like it, all are named")
    func unlike() {
        #expect(
            advice("ca zzzzzz") == "zzzzzz is no command of paraph ca. There are show, export, renew."
        )
        #expect(advice(String(repeating: "e", count: 1_000))?.contains("There are demo, run, exec,") == true)
    }

    @Test(
        "A secret's option is named that takes it from elsewhere",
        arguments: [
            ("explain --consumer-secret s", "--consumer-secret-env NAME"),
            ("explain GET https://a.example/ --token-secret=s", "--token-secret-env NAME"),
            ("verify --public-key s", "--public-key-file FILE"),
        ]
    )
    func secrets(_ line: String, _ option: String) throws {
        let sentence = try #require(advice(line))
        #expect(sentence.contains("Did you mean: \(option)"))
        #expect(!sentence.contains(" s "))
    }

    @Test(
        "An option that there is not is named, and the one that was meant",
        arguments: [
            ("check --conf x", "--conf is no option of paraph check. Did you mean: --config"),
            ("--verison", "--verison is no option of paraph. Did you mean: --version"),
            ("-V", "-V is no option of paraph. Did you mean: --version"),
            ("explain --consumer_key=k", "--consumer_key is no option of paraph explain. Did you mean: --consumer-key"),
            ("accounts remove --everything", "--everything is no option of paraph accounts remove."),
        ]
    )
    func options(_ line: String, _ sentence: String) {
        #expect(advice(line) == sentence)
    }

    @Test("An option before the command, and the configuration's file without its option")
    func places() {
        #expect(advice("--config paraph.yaml check")?.hasSuffix("as in: paraph run --config") == true)
        #expect(advice("check paraph.yaml")?.hasSuffix("Did you mean: paraph check --config paraph.yaml") == true)
    }

    @Test("Help of a command that there is not is advice, too")
    func help() {
        func sentence(_ line: String) -> String? {
            CommandAdvice.sentence(onHelpOf: line.split(separator: " ").map(String.init), of: Paraph.self)
        }
        #expect(sentence("exce")?.hasSuffix("Did you mean: paraph exec") == true)
        #expect(sentence("accounts list") == nil)
        #expect(sentence("") == nil)
    }

    @Test(
        "There is nothing to say of other mistakes",
        arguments: [
            "check", "run", "help", "help exce", "explain GET https://a.example/ --timestamp -5",
            "explain GET https://a.example/ --data --x", "exec -- --consumer-secret", "explain --consumer-secret-env",
        ]
    )
    func others(_ line: String) {
        #expect(advice(line) == nil)
    }
}

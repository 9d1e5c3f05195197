import Testing

@testable import paraph

@Suite struct ShellDialectTests {
    @Test(arguments: [
        (ShellDialect.sh, "plain/a=b", "export N=plain/a=b"),
        (.sh, "a b", "export N='a b'"),
        (.sh, "isn't $HOME", #"export N='isn'\''t $HOME'"#),
        (.sh, "localhost|127.*", "export N='localhost|127.*'"),
        (.sh, "", "export N="),
        (.fish, "plain/a=b", "set -gx N plain/a=b"),
        (.fish, "", "set -gx N ''"),
        (.fish, #"isn't $HOME \n"#, #"set -gx N 'isn\'t $HOME \\n'"#),
        (.powershell, "plain", "$env:N = 'plain'"),
        (.powershell, "isn't $x `n", "$env:N = 'isn''t $x `n'"),
        (.powershell, "a\u{2019}b", "$env:N = 'a\u{2019}\u{2019}b'"),
        (.dotenv, "plain/a=b", "N=plain/a=b"),
        (.dotenv, "", "N="),
        (.dotenv, "a $b #c", "N='a $b #c'"),
        (.dotenv, #"isn't "$b" \ `"#, #"N="isn't \"\$b\" \\ \`""#),
        (.dotenv, "two\nlines", #"N="two\nlines""#),
        // Under a combining accent.
        (.sh, "'\u{301}$HOME", "export N=''\\''\u{301}$HOME'"), (.fish, "'\u{301}", "set -gx N '\\'\u{301}'"),
        (.dotenv, "'\u{301}\"\u{301}$\u{301}", "N=\"'\u{301}\\\"\u{301}\\$\u{301}\""),
    ])
    func `a value reaches the programs as it is`(dialect: ShellDialect, value: String, line: String) {
        #expect(dialect.assignment("N", value) == line)
    }

    @Test(arguments: [
        (ShellDialect.sh, #"export N=http://a%20b:"$PARAPH_CLIENT_PASSWORD"@127.0.0.1:1"#),
        (.fish, #"set -gx N http://a%20b:"$PARAPH_CLIENT_PASSWORD"@127.0.0.1:1"#),
        (.powershell, "$env:N = 'http://a%20b:' + $env:PARAPH_CLIENT_PASSWORD + '@127.0.0.1:1'"),
        (.dotenv, #"N="http://a%20b:${PARAPH_CLIENT_PASSWORD}@127.0.0.1:1""#),
    ])
    func `a password is left to the shell`(dialect: ShellDialect, line: String) {
        let proxy = ClientProxy(host: "127.0.0.1", port: 1, userInformation: "a%20b:\(ClientPassword.reference)")
        #expect(dialect.assignment("N", proxy.url) == line)
    }

    @Test(arguments: [
        (ShellDialect.sh, "unset N"), (.fish, "set -e N"), (.dotenv, "N="),
        (.powershell, "Remove-Item Env:N -ErrorAction SilentlyContinue"),
    ])
    func `a variable is taken away`(dialect: ShellDialect, line: String) {
        #expect(dialect.removal("N") == line)
    }
}

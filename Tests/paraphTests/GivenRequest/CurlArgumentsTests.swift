import Testing

@testable import paraph

@Suite("The request that a curl command makes")
struct CurlArgumentsTests {
    private func read(_ arguments: String) throws -> GivenRequest {
        try RequestText.request(Array("curl \(arguments)".utf8))
    }

    @Test(
        "Its method is that of -X, or follows from what is sent",
        arguments: [
            ("https://h/", "GET"), ("-d a https://h/", "POST"), ("-X PUT -d a https://h/", "PUT"),
            ("-XDELETE https://h/", "DELETE"), ("-I https://h/", "HEAD"), ("-sSLI https://h/", "HEAD"),
            ("-G -d a https://h/", "GET"), ("-F a=b https://h/", "POST"), ("-T file https://h/", "PUT"),
            ("--request PATCH --url https://h/", "PATCH"), ("--json {} https://h/", "POST"),
        ]
    )
    func method(arguments: String, method: String) throws {
        #expect(try read(arguments).method == method)
    }

    @Test(
        "Data is joined, and encoded where that is asked for",
        arguments: [
            ("-d a=1 --data b=2 --data-raw @c", "a=1&b=2&@c"), ("--data-urlencode 'a=b c&é'", "a=b%20c%26%C3%A9"),
            ("--data-urlencode '=b c'", "b%20c"), ("--data-urlencode 'b c'", "b%20c"),
            ("--data-urlencode a=b@c", "a=b%40c"), ("--json '{\"a\":' --json '1}'", "{\"a\":1}"), ("-d ''", ""),
            ("--data-binary $'a\\nb'", "a\nb"), ("-da=1", "a=1"),
        ]
    )
    func data(arguments: String, body: String) throws {
        let request = try read(arguments + " https://h/")
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == body)
    }

    @Test(
        "The type of the body is a form's, unless something else is said",
        arguments: [
            ("-d a", "application/x-www-form-urlencoded"), ("--json {}", "application/json"),
            ("-d a -H 'content-type: text/plain'", "text/plain"), ("-d a -H Content-Type:", nil),
            ("-F a=b", "multipart/form-data"), ("", nil), ("-G -d a", nil), ("-d a -H 'Content-Type;'", ""),
        ]
    )
    func type(arguments: String, type: String?) throws {
        #expect(try read(arguments + " https://h/").fieldValue("Content-Type") == type)
    }

    @Test(
        "With --get data goes to the query, behind what is there and before the fragment",
        arguments: [
            ("-G https://h/p -d a=1 -d b=2", "https://h/p?a=1&b=2"),
            ("-G 'https://h/p?x#f' -d a=1", "https://h/p?x&a=1#f"),
            ("-G 'https://h/p?' -d a=1", "https://h/p?a=1"), ("--url-query 'a=b c' https://h/p", "https://h/p?a=b%20c"),
            ("--url-query +a=b https://h/p", "https://h/p?a=b"), ("h/p", "http://h/p"),
            ("https://user:canary@h/p@x", "https://h/p@x"),
        ]
    )
    func target(arguments: String, target: String) throws {
        let request = try read(arguments)
        #expect(request.target == target)
        #expect(!"\(request)".contains("canary"))
    }

    @Test("A password on the line is nowhere in what is read, and that it is left out is told")
    func password() throws {
        for option in [
            "-u name:canary", "--oauth2-bearer canary", "-b c=canary", "-x http://a:canary@p", "-U a:canary",
        ] {
            let request = try read("\(option) https://h/")
            #expect(!"\(request)".contains("canary"))
        }
        #expect(try read("-u a:b https://h/").notes.count == 1)
        #expect(try read("-u a:b -H 'Authorization: OAuth x' https://h/").notes.isEmpty)
    }

    @Test("What a body is in, or made of, that is not here is told")
    func missing() throws {
        for (arguments, words) in [
            ("-d @body.json", "@body.json"), ("-T f", "file f"), ("-F a=b", "multipart"),
            ("--data-urlencode a@f", "@f"),
        ] {
            let request = try read(arguments + " https://h/")
            #expect(try #require(request.missingBody).contains(words) && request.body == nil)
        }
    }

    @Test(
        "What is no single request, or cannot be told without guessing, is refused",
        arguments: [
            ("", "no URL"), ("https://a/ https://b/", "2 URLs"), ("-H", "-H has no value"),
            ("--nonsense https://h/", "--nonsense"),
            ("-? https://h/", "-?"), ("https://h/ --next https://h/", "--next"), ("-K f https://h/", "-K"),
            ("-G -d @f https://h/", "f reads a file"), ("-H @f https://h/", "@f reads a file"),
            ("-H \"A: $TOKEN\" h", "$TOKEN"),
            ("'https://h/", "line 1"),
        ]
    )
    func refused(arguments: String, words: String) throws {
        let error = #expect(throws: GivenRequestError.self) { try read(arguments) }
        #expect(try #require(error).description.contains(words), "\(String(describing: error))")
    }

    @Test(
        "What stands before curl is left out where it is a prompt, variables, or programs that run it",
        arguments: [
            "$ ", "sudo ", "sudo -E ", "time ", "env A=b ", "https_proxy=http://u:canary@p ", "A='b c' B=\"$C d\" ",
            "$ A=b\\ c time -p /usr/bin/", "# env -i sudo ", "command ",
        ]
    )
    func before(_ prefix: String) throws {
        let request = try RequestText.request(Array("\(prefix)curl -d a=b https://h/x".utf8))
        #expect(request.format == .curl && request.target == "https://h/x" && request.method == "POST")
        #expect(!"\(request)".contains("canary"))
    }

    @Test("Another word before curl makes another command", arguments: ["wget ", "A='b ", "-E ", "1=2 ", "sudo rm "])
    func otherCommand(_ prefix: String) {
        #expect(throws: GivenRequestError.self) {
            try RequestText.request(Array("\(prefix)curl https://h/x".utf8))
        }
    }

    @Test("A URL that no quotes keep whole ends where a shell ends it, which is told")
    func unquoted() throws {
        let request = try read("https://h/?a=1&b=2")
        #expect(request.target == "https://h/?a=1")
        #expect(request.notes.count == 1 && request.notes[0].contains("ends the command at & in line 1"))
    }

    @Test("What Postman, Chrome, Firefox and Insomnia copy is read")
    func copied() throws {
        let postman = """
            curl --location --request POST 'https://api.example.com/1.1/r.json?a=1' \\
            --header 'Content-Type: application/x-www-form-urlencoded' \\
            --header 'Authorization: OAuth oauth_consumer_key="ck",oauth_signature="x%3D"' \\
            --header 'Cookie: a=canary' \\
            --data-urlencode 'status=Hello Ladies + Gentlemen'
            """
        var request = try RequestText.request(Array(postman.utf8))
        #expect(request.method == "POST" && request.target == "https://api.example.com/1.1/r.json?a=1")
        #expect(request.body == Array("status=Hello%20Ladies%20%2B%20Gentlemen".utf8))
        #expect(request.fieldValue("authorization")?.hasPrefix("OAuth ") == true && request.notes.isEmpty)
        let chrome = """
            curl 'https://api.example.com/r' \\
              -H 'accept: */*' \\
              -b 'a=canary' \\
              -H 'content-type: application/x-www-form-urlencoded' \\
              --data-raw $'a=it\\'s\\u0021' \\
              --compressed
            """
        request = try RequestText.request(Array(chrome.utf8))
        #expect(request.method == "POST" && request.body == Array("a=it's!".utf8))
        let firefox =
            "curl 'https://api.example.com/r' --compressed -X PUT -H 'User-Agent: M' -H 'DNT: 1' --data-raw 'a=b'"
        request = try RequestText.request(Array(firefox.utf8))
        #expect(request.method == "PUT" && request.fields.count == 3)
        let insomnia = "curl --request GET \\\n  --url 'https://api.example.com/r?a=b' \\\n  --header 'User-Agent: i'"
        request = try RequestText.request(Array(insomnia.utf8))
        #expect(request.method == "GET" && request.target == "https://api.example.com/r?a=b")
        let windows =
            "curl ^\"https://api.example.com/r?a=1^&b=2^\" ^\n  -H ^\"accept: */*^\" ^\n  --data-raw ^\"c=^%^20d^\""
        request = try RequestText.request(Array(windows.utf8))
        #expect(request.target == "https://api.example.com/r?a=1&b=2" && request.body == Array("c=%20d".utf8))
    }
}

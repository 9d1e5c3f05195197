/// A client that may be on this machine, and how it is had to make one GET and to print its status.
struct ClientProbe: Sendable {
    /// Its arguments, without the program.
    typealias Arguments = @Sendable (_ request: Request) -> [String]

    struct Request: Sendable {
        let url: String
        /// The value of a Paraph-Account field; empty: none is sent.
        let account: String
        let directory: String
    }

    let name: String
    let program: String
    /// The arguments that make it print its version.
    let version: [String]
    /// Source that it runs, by the name of its file.
    var file: (name: String, text: String)?
    /// Indicates whether it can be had to send a field of its own.
    var canNameAccount = true
    let arguments: Arguments
    /// The status of the response, from what it printed; nil when it had none.
    var status: @Sendable (_ output: String, _ errors: String) -> Int? = { output, _ in ClientProbe.marked(output) }

    static let all = [curl, wget, git, python, node, npm, java, go, ruby, php]

    /// Seconds that a client waits for anything.
    private static let timeoutSeconds = 20
    /// The text before the status in what the scripts print.
    private static let mark = "paraph-status "

    private static func marked(_ text: String) -> Int? {
        text.split(whereSeparator: \.isNewline).last { $0.hasPrefix(mark) }.flatMap { Int($0.dropFirst(mark.count)) }
    }

    private static func field(_ account: String) -> String { "Paraph-Account: \(account)" }

    // MARK: Command lines

    private static let curl = ClientProbe(
        name: "curl",
        program: "curl",
        version: ["--version"],
        arguments: { request in
            ["-sS", "-o", "/dev/null", "-w", "\n\(mark)%{http_code}\n", "--max-time", "\(timeoutSeconds)"]
                + (request.account.isEmpty ? [] : ["-H", field(request.account)]) + [request.url]
        },
        status: { output, _ in marked(output).flatMap { $0 == 0 ? nil : $0 } }
    )

    private static let wget = ClientProbe(
        name: "wget",
        program: "wget",
        version: ["--version"],
        arguments: { request in
            ["-nv", "-S", "-O", "/dev/null", "--timeout=\(timeoutSeconds)", "--tries=1", "--max-redirect=0"]
                + (request.account.isEmpty ? [] : ["--header=\(field(request.account))"]) + [request.url]
        },
        status: { _, errors in
            let lines = errors.split(whereSeparator: \.isNewline).filter { $0.drop { $0 == " " }.hasPrefix("HTTP/1.") }
            return lines.last.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
        }
    )

    /// The probe for git. What git wants of a URL is no repository: the words that it finds for the answer tell its
    /// status.
    private static let git = ClientProbe(
        name: "git",
        program: "git",
        version: ["--version"],
        arguments: { request in
            ["-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=\(timeoutSeconds)", "-c", "credential.helper="]
                + (request.account.isEmpty ? [] : ["-c", "http.extraHeader=\(field(request.account))"])
                + ["ls-remote", request.url]
        },
        status: { _, errors in
            if let words = errors.firstRange(of: "returned error: ") {
                return Int(errors[words.upperBound...].prefix { $0.isNumber })
            }
            if errors.contains("could not read Username") || errors.contains("Authentication failed") { return 401 }
            if errors.contains("not found") { return 404 }
            return errors.contains("not valid: is this a git repository") || errors.isEmpty ? 200 : nil
        }
    )

    private static let python = ClientProbe(
        name: "python3",
        program: "python3",
        version: ["--version"],
        arguments: { request in
            let script = """
                import sys, urllib.error, urllib.request
                request = urllib.request.Request(sys.argv[1], headers={"Paraph-Account": sys.argv[2]} if sys.argv[2] else {})
                try:
                    status = urllib.request.urlopen(request, timeout=\(timeoutSeconds)).status
                except urllib.error.HTTPError as error:
                    status = error.code
                print("\(mark)%d" % status)
                """
            return ["-c", script, request.url, request.account]
        }
    )

    private static let node = ClientProbe(
        name: "node",
        program: "node",
        version: ["--version"],
        arguments: { request in
            let script = String(decoding: PackageResources.NodeProbe_js, as: UTF8.self)
            return ["-e", script, "--", request.url, request.account, "\(timeoutSeconds)", mark]
        }
    )

    /// The probe for npm, which takes what it is answered for a package: it says 200 by complaining of that.
    private static let npm = ClientProbe(
        name: "npm",
        program: "npm",
        version: ["--version"],
        canNameAccount: false,
        arguments: { request in
            [
                "view", "--cache=\(request.directory)/npm", "--logs-max=0", "--no-update-notifier", "--fetch-retries=0",
                "--fetch-timeout=\(timeoutSeconds)000", request.url,
            ]
        },
        status: { output, errors in
            let failure = "npm error code E"
            let code = errors.split(whereSeparator: \.isNewline).first { $0.hasPrefix(failure) }
            if let status = code.flatMap({ Int($0.dropFirst(failure.count)) }) { return status }
            return errors.contains("TAR_BAD_ARCHIVE") || errors.isEmpty && !output.isEmpty ? 200 : nil
        }
    )

    private static let java = ClientProbe(
        name: "java",
        program: "java",
        version: ["-version"],
        file: (
            "Probe.java",
            """
            import java.net.HttpURLConnection;
            import java.net.URL;

            public class Probe {
                public static void main(String[] words) throws Exception {
                    HttpURLConnection connection = (HttpURLConnection) new URL(words[0]).openConnection();
                    connection.setConnectTimeout(\(timeoutSeconds)000);
                    connection.setReadTimeout(\(timeoutSeconds)000);
                    connection.setInstanceFollowRedirects(false);
                    if (!words[1].isEmpty()) connection.setRequestProperty("Paraph-Account", words[1]);
                    System.out.println("\(mark)" + connection.getResponseCode());
                }
            }

            """
        ),
        arguments: { ["\($0.directory)/Probe.java", $0.url, $0.account] }
    )

    private static let go = ClientProbe(
        name: "go",
        program: "go",
        version: ["version"],
        file: (
            "probe.go",
            """
            package main

            import (
            \t"fmt"
            \t"net/http"
            \t"os"
            \t"time"
            )

            func main() {
            \tclient := http.Client{Timeout: \(timeoutSeconds) * time.Second}
            \trequest, err := http.NewRequest("GET", os.Args[1], nil)
            \tif err == nil && os.Args[2] != "" {
            \t\trequest.Header.Set("Paraph-Account", os.Args[2])
            \t}
            \tresponse, err := client.Do(request)
            \tif err != nil {
            \t\tfmt.Fprintln(os.Stderr, err)
            \t\tos.Exit(1)
            \t}
            \tfmt.Println("\(mark)" + fmt.Sprint(response.StatusCode))
            }

            """
        ),
        arguments: { ["run", "\($0.directory)/probe.go", $0.url, $0.account] }
    )

    private static let ruby = ClientProbe(
        name: "ruby",
        program: "ruby",
        version: ["--version"],
        arguments: { request in
            let script = """
                require "net/http"
                uri = URI(ARGV[0])
                request = Net::HTTP::Get.new(uri)
                request["Paraph-Account"] = ARGV[1] unless ARGV[1].empty?
                options = { use_ssl: true, open_timeout: \(timeoutSeconds), read_timeout: \(timeoutSeconds) }
                response = Net::HTTP.start(uri.host, uri.port, **options) { |http| http.request(request) }
                puts "\(mark)#{response.code}"
                """
            return ["-e", script, request.url, request.account]
        }
    )

    private static let php = ClientProbe(
        name: "php",
        program: "php",
        version: ["--version"],
        arguments: { request in
            let script = """
                if (!function_exists("curl_init")) { fwrite(STDERR, "its extension curl is not installed"); exit(1); }
                $request = curl_init($argv[1]);
                $fields = $argv[2] === "" ? [] : ["Paraph-Account: " . $argv[2]];
                curl_setopt_array($request, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => \(timeoutSeconds),
                    CURLOPT_HTTPHEADER => $fields]);
                if (curl_exec($request) === false) { fwrite(STDERR, curl_error($request)); exit(1); }
                echo "\(mark)", curl_getinfo($request, CURLINFO_RESPONSE_CODE), "\n";
                """
            return ["-r", script, "--", request.url, request.account]
        }
    )
}

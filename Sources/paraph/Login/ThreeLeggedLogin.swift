import Credentials
import OAuthSigning

/// Three-legged authorization with a person:
///
/// 1. Where the callback is on loopback, it is listened for. Temporary credentials are asked for.
/// 2. The authorization address is printed, and opened where there is a browser.
/// 3. The person comes back to the listener, or types the verifier, or the whole address that the browser was sent to.
///    What belongs to another authorization is told so, and the waiting goes on.
/// 4. The verifier is exchanged for the token.
struct ThreeLeggedLogin: Sendable {
    /// The person who runs the command, as far as it can tell: a terminal, and perhaps a browser.
    struct Person: Sendable {
        /// Shows a paragraph.
        let say: @Sendable (String) -> Void
        /// The lines that are typed; they end with standard input.
        let lines: AsyncStream<String>
        /// Opens an address in a browser, where there is one.
        let open: @Sendable (_ address: String) -> Void
    }

    let settings: ThreeLeggedSettings
    let oauth1: OAuth1Settings
    let person: Person

    func run(_ conversation: ProviderConversation) async throws -> StoredCredential {
        let receiver = CallbackReceiver()
        guard let address = LoopbackAddress(settings.callback) else {
            let callback: String =
                switch settings.callback {
                case .address(let address): address
                case .outOfBand, .loopback: "oob"
                }
            return try await authorize(conversation, callback: callback, receiver: receiver, isListening: false)
        }
        return try await CallbackListener(address: address, receiver: receiver).listen { callback in
            try await authorize(conversation, callback: callback, receiver: receiver, isListening: true)
        }
    }

    private func authorize(
        _ conversation: ProviderConversation,
        callback: String,
        receiver: CallbackReceiver,
        isListening: Bool
    ) async throws -> StoredCredential {
        let beginning = ThreeLeggedAuthorization(settings: settings, oauth1: oauth1)
        var (authorization, address) = try await conversation.run(
            TemporaryCredentialsExchange(beginning, callback: callback)
        ).get()
        receiver.expect(temporaryToken: authorization.temporaryToken ?? "")
        person.say("Open this address and let the application act for you:\n\n    \(address)\n")
        person.open(address)
        person.say(waiting(isListening: isListening, callback: callback))

        let reply = try await reply(from: receiver, isListening: isListening)
        guard !reply.isDenied else { throw LoginError.denied }
        let request = try authorization.finish(
            token: reply.token,
            verifier: reply.verifier,
            nonce: conversation.nonce(),
            timestamp: conversation.timestamp
        )
        let response = try await conversation.answer(to: request)
        return try authorization.receiveToken(response, timestamp: conversation.timestamp)
    }

    // MARK: The person's reply

    private func waiting(isListening: Bool, callback: String) -> String {
        if isListening {
            return
                "Waiting for the browser at \(callback). If it runs on another machine, paste the address that it was "
                + "sent to, and press Enter."
        }
        if callback == "oob" {
            return settings.acceptsVersion10
                ? "Press Enter when it is done; type the verifier (PIN) before, if the provider shows one:"
                : "Type the verifier (PIN) that the provider shows, and press Enter:"
        }
        return "Paste the address that the browser was sent to, or type its oauth_verifier, and press Enter:"
    }

    private func reply(from receiver: CallbackReceiver, isListening: Bool) async throws -> CallbackReply {
        try await withThrowingTaskGroup(of: CallbackReply?.self) { group in
            group.addTask {
                for await reply in receiver.replies { return reply }
                return nil
            }
            group.addTask {
                for await line in person.lines where accepts(line, receiver) { return nil }
                try Task.checkCancellation()
                // Where there is a listener, the browser may still come.
                if !isListening { throw LoginError.noVerifier }
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let reply = result { return reply }
                try Task.checkCancellation()
            }
            throw CancellationError()
        }
    }

    /// Returns whether what was typed is the reply that is waited for.
    private func accepts(_ line: String, _ receiver: CallbackReceiver) -> Bool {
        let isBlank = line.allSatisfy(\.isWhitespace)
        // A provider of OAuth Core 1.0 shows no verifier: to press Enter is all there is to do.
        let done = isBlank && settings.acceptsVersion10 ? CallbackReply(query: "") : nil
        guard let reply = done ?? CallbackReply(typed: line) else {
            if !isBlank { person.say("That is neither a verifier nor an address with one. Try again:") }
            return false
        }
        switch receiver.receive(reply, needsToken: false) {
        case .accepted: return true
        case .stranger:
            person.say("That belongs to another authorization than the one that was begun. Try again:")
            return false
        }
    }
}

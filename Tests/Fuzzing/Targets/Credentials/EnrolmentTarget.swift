import Bytes
import FoundationEssentials
import OAuthSigning

@testable import AdminRequests
@testable import Credentials

/// Enrolment: the fields of a request are read as they were written, and as another reader has them, and a claim is
/// true only if the provider's answer has the passkey for an id.
///
/// The input is a byte of choice, and the body of a request, its fields, or a passkey and the provider's answer.
enum EnrolmentTarget: FuzzTarget {
    static let name = "enrolment"

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        switch choice & 3 {
        case 0: checkBody(reader.remainder())
        case 1: checkFields(&reader)
        case 2: checkClaim(&reader, choice)
        default: checkHost(String(decoding: reader.remainder(), as: UTF8.self))
        }
    }

    private static let fieldNames = ["access_type", "passkey", "passcode"]

    /// Checks that what is read of any body is what another reader finds there, once.
    private static func checkBody(_ body: [UInt8]) {
        if let read = try? RegistrationFields(form: body).all() {
            for (name, value) in zip(fieldNames, [read.accessType, read.passkey, read.passcode]) {
                let found = ReferenceForm.values(of: name, in: body)
                require(found == [Array(value.utf8)], "\(name) of a form is read as \(value), not \(found)")
            }
        }
        guard let read = try? RegistrationFields(json: body).all(),
            let members = try? JSONDecoder().decode([String: AnyJSON].self, from: Data(body))
        else { return }
        for (name, value) in zip(fieldNames, [read.accessType, read.passkey, read.passcode]) {
            switch members[name] {
            case .text(let text)?:
                require(text.utf8.elementsEqual(value.utf8), "\(name) is read as \(value), not \(text)")
            case .other?:
                // A number, which is taken as it was written.
                let isThere = String(decoding: body, as: UTF8.self).contains(value)
                require(isThere && Double(value) != nil, "\(name) is read as \(value)")
            case nil: fatalError("\(Self.name): \(name) is read as \(value), and is not there")
            }
        }
    }

    private static func checkFields(_ reader: inout InputReader) {
        let values = [reader.stretch(), reader.stretch(), reader.remainder()].map {
            String(decoding: $0, as: UTF8.self)
        }
        guard values.allSatisfy({ !$0.unicodeScalars.allSatisfy(\.properties.isWhitespace) }) else { return }
        let form = zip(fieldNames, values).map { name, value in
            Array("\(name)=".utf8) + PercentEncoding.encode(value.utf8)
        }
        let json = JSONText.object(zip(fieldNames, values).map { (key: $0, value: JSONText.string($1)) }).line
        do {
            for fields in [
                try RegistrationFields(form: Array(form.joined(separator: [0x26]))),
                try RegistrationFields(json: Array(json.utf8)),
            ] {
                let read = try fields.all()
                let isSame = zip([read.accessType, read.passkey, read.passcode], values).allSatisfy {
                    $0.utf8.elementsEqual($1.utf8)
                }
                require(isSame, "read otherwise than written: \(values)")
            }
        } catch {
            fatalError("\(name): not read: \(error)")
        }
    }

    private static func checkClaim(_ reader: inout InputReader, _ choice: UInt8) {
        let passkey = String(decoding: reader.stretch(), as: UTF8.self)
        let status = [200, 200, 401, 403, 500, 302, 204, 400][Int(choice >> 2 & 7)]
        let body = reader.remainder()
        var check = EnrolmentCheck(
            claim: EnrolmentClaim(accessType: .oauth1, passkey: passkey, passcode: Secret("tok3nT0k3n:s3cr3tS3cr3t")),
            target: EnrolmentSettings.Target(api: 0, verifyURL: "https://api.example.com/me"),
            scheme: .oauth1(ExchangeSetting.oauth1)
        )
        guard case .send = check.start(nonce: "n", timestamp: 1) else { return }
        let progress = check.receive(ExchangeResponse(status: status, body: body), nonce: "m", timestamp: 1)
        switch progress {
        case .ended(let outcome), .clockRefused(let outcome): checkOutcome(outcome, passkey, status, body)
        case .send: fatalError("\(name): another request")
        }
    }

    private static func checkOutcome(
        _ outcome: EnrolmentOutcome,
        _ passkey: String,
        _ status: Int,
        _ body: [UInt8]
    ) {
        switch outcome {
        case .verified:
            require(200...299 ~= status, "verified by a \(status)")
            let members = try? JSONDecoder().decode([String: AnyJSON].self, from: Data(body))
            switch members?["id"] {
            case .text(let id)?: require(id.utf8.elementsEqual(passkey.utf8), "verified as \(id)")
            default:
                // A number, which is taken as it was written.
                let isNumber = passkey.utf8.first.map { $0 == 0x2D || 0x30...0x39 ~= $0 } ?? false
                require(isNumber && String(decoding: body, as: UTF8.self).contains(passkey), "verified without an id")
            }
        case .refused(let detail), .unavailable(let detail):
            for secret in ["s3cr3tS3cr3t", "tok3nT0k3n", ExchangeSetting.clientSecret] {
                require(!detail.contains(secret), "told: \(detail)")
            }
        }
    }

    private static func checkHost(_ authority: String) {
        guard let host = HostName(authority: authority), host.isAddressOrLocalhost else { return }
        // What was not looked up is written in letters, digits and what addresses have, with a port at most.
        let isPlain = authority.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 || ".:[]%".utf8.contains($0)
        }
        require(isPlain, "taken for an address: \(authority.debugDescription)")
    }
}

import Bytes
import Credentials
import Hummingbird
import Logging
import NIOCore
import OAuthSigning

/// `/register` and `/accounts`: what is asked of the engine, what is answered, and the log of it.
struct AccountEndpoints: Sendable {
    /// The verifications at once: each holds a connection to a provider.
    private static let verificationLimit = 128
    private static let waiterLimit = 1_024

    private let service: any EnrolmentService
    private let logger: Logger
    private let gate = VerificationGate(limit: verificationLimit, waiterLimit: waiterLimit)

    init(service: any EnrolmentService, logger: Logger) {
        self.service = service
        self.logger = logger
    }

    // MARK: Enrolment

    /// - Parameter client: The address of who asks, for the log.
    func register(_ request: Request, client: String) async throws(AdminRefusal) -> Response {
        let accessTypes = service.accessTypes
        guard !accessTypes.isEmpty else { throw .enrolmentOff }
        let claim = try await RegistrationBody.claim(in: request, accessTypes: accessTypes)
        let result = try await gate.run { await service.register(claim) }
        log(result, claim, client)
        return Self.answer(to: result)
    }

    private static func answer(to result: EnrolmentResult) -> Response {
        switch result {
        case .created(let name): success("USER_CREATED_SUCCESSFULLY", name, .created)
        case .existed(let name): success("USER_ALREADY_EXISTED", name, .ok)
        case .refused(let detail): failure(detail, .unauthorized, fields: AdminAnswer.challenge)
        case .unavailable(let detail): failure(detail, .badGateway)
        case .timedOut(let detail): failure(detail, .gatewayTimeout)
        case .storeUnavailable(let detail): failure(detail, .serviceUnavailable, fields: [.retryAfter: "1"])
        case .failed(let detail): failure(detail, .internalServerError)
        }
    }

    private static func success(
        _ message: String,
        _ name: CredentialName,
        _ status: HTTPResponse.Status
    ) -> Response {
        AdminAnswer.json(
            [("error", .boolean(false)), ("message", .string(message)), ("account", .string(name.account))],
            status: status
        )
    }

    private static func failure(
        _ detail: String,
        _ status: HTTPResponse.Status,
        fields: HTTPFields = [:]
    ) -> Response {
        AdminAnswer.json(
            [("error", .boolean(true)), ("message", .string("USER_CREATION_FAILED")), ("detail", .string(detail))],
            status: status,
            fields: fields
        )
    }

    private func log(_ result: EnrolmentResult, _ claim: EnrolmentClaim, _ client: String) {
        var metadata: Logger.Metadata = [
            "access_type": .stringConvertible(claim.accessType.rawValue), "client": "\(client)",
        ]
        let line: (level: Logger.Level, message: Logger.Message)
        switch result {
        case .created(let name), .existed(let name):
            metadata["api"] = "\(name.api)"
            metadata["account"] = "\(name.account)"
            let isNew = if case .created = result { true } else { false }
            line = (.info, isNew ? "account enrolled" : "account enrolled already")
        case .refused(let detail), .unavailable(let detail), .timedOut(let detail), .storeUnavailable(let detail),
            .failed(let detail):
            metadata["passkey"] = "\(condensed(claim.passkey, limit: 128))"
            metadata["detail"] = "\(detail.prefix { !$0.isNewline })"
            line =
                switch result {
                case .refused: (.warning, "enrolment refused")
                case .storeUnavailable, .failed: (.error, "enrolment failed")
                default: (.warning, "enrolment not verified")
                }
        }
        logger.log(level: line.level, line.message, metadata: metadata)
    }

    // MARK: Accounts

    func list() async throws(AdminRefusal) -> Response {
        do throws(VaultError) {
            return AdminAnswer.json(AccountList.members(of: try await service.accounts()))
        } catch {
            logger.error("accounts could not be listed", metadata: ["reason": "\(error)"])
            throw AdminRefusal(error)
        }
    }

    func remove(_ name: CredentialName, client: String) async throws(AdminRefusal) -> Response {
        var metadata: Logger.Metadata = [
            "api": "\(condensed(name.api, limit: 128))", "account": "\(condensed(name.account, limit: 128))",
            "client": "\(client)",
        ]
        let wasThere: Bool
        do throws(VaultError) {
            wasThere = try await service.remove(name)
        } catch {
            metadata["reason"] = "\(error)"
            logger.error("account could not be removed", metadata: metadata)
            throw AdminRefusal(error)
        }
        guard wasThere else { throw .unknownAccount }
        logger.info("account removed", metadata: metadata)
        return AdminAnswer.done
    }
}

/// The answer to `GET /accounts`: `{"accounts":[{"api":…,"account":…},…],"errors":[…]}`. Never a secret.
private enum AccountList {
    static func members(of listing: VaultListing) -> [(key: String, value: JSONText)] {
        let accounts = listing.names.map { name in
            JSONText.object([("api", .string(name.api)), ("account", .string(name.account))])
        }
        return [
            ("accounts", .array(accounts)),
            ("errors", .strings(listing.errors.map(\.description))),
        ]
    }
}

/// Reads the claim out of a `POST /register`.
enum RegistrationBody {
    static let limit = 65_536

    /// - Parameter accessTypes: Those that are configured.
    static func claim(
        in request: Request,
        accessTypes: Set<EnrolmentAccessType>
    ) async throws(AdminRefusal) -> EnrolmentClaim {
        let body = try await body(of: request)
        let fields: (accessType: String, passkey: String, passcode: String)
        do throws(RegistrationFields.Fault) {
            let read = try body.isJSON ? RegistrationFields(json: body.bytes) : RegistrationFields(form: body.bytes)
            fields = try read.all()
        } catch {
            throw AdminRefusal(error)
        }
        guard let accessType = accessTypes.first(where: { String($0.rawValue) == fields.accessType }) else {
            throw .unknownAccessType(configured: accessTypes.map(\.rawValue).sorted())
        }
        return EnrolmentClaim(accessType: accessType, passkey: fields.passkey, passcode: Secret(fields.passcode))
    }

    /// - Returns: What is JSON, or else a form.
    private static func body(of request: Request) async throws(AdminRefusal) -> (bytes: [UInt8], isJSON: Bool) {
        let types = request.headers[values: .contentType]
        let body: [UInt8]
        do {
            body = Array(buffer: try await request.body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw .bodyTooLarge(limit: limit)
        } catch {
            throw .malformedBody(reason: "The body ended too early.")
        }
        guard let type = types.first else {
            // Nothing was sent at all: that the fields are missing says more than that their media type is.
            guard body.isEmpty else { throw .unsupportedMediaType }
            return ([], isJSON: false)
        }
        guard types.count == 1, isUTF8(type) else { throw .unsupportedMediaType }
        switch parts(of: type).first {
        case "application/x-www-form-urlencoded": return (body, isJSON: false)
        case "application/json": return (body, isJSON: true)
        default: throw .unsupportedMediaType
        }
    }

    /// The media type and its parameters (RFC 9110, section 8.3.1), in lower case.
    private static func parts(of type: String) -> [String] {
        type.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
    }

    private static func isUTF8(_ type: String) -> Bool {
        parts(of: type).allSatisfy { part in
            !part.hasPrefix("charset=") || ["charset=utf-8", "charset=utf8", "charset=us-ascii"].contains(part)
        }
    }
}

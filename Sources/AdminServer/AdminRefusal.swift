import Credentials
import Hummingbird

/// The reason why a request is not served.
enum AdminRefusal: Error, Equatable {
    case unknownPath
    case malformedPath
    case methodNotAllowed(allowed: [HTTPRequest.Method])
    case tokenMissing
    case tokenWrong
    case tooManyGuesses(retryAfter: Int)
    case severalHosts
    case foreignHost
    case foreignOrigin
    case enrolmentOff
    case unknownAccount
    case bodyTooLarge(limit: Int)
    case unsupportedMediaType
    case malformedBody(reason: String)
    case fieldsMissing([RegistrationFields.Name])
    case unknownAccessType(configured: [Int])
    case tooManyVerifications
    case vault(reason: String)
    case vaultAway(reason: String)
    case ending
    case otherUser
    case malformedNumber
    case unknownRequest
    case tooManyOnlookers
    case doctorIsBusy

    var status: HTTPResponse.Status {
        switch self {
        case .unknownPath, .enrolmentOff, .unknownAccount, .unknownRequest: .notFound
        case .malformedPath, .malformedNumber, .severalHosts, .malformedBody, .fieldsMissing, .unknownAccessType:
            .badRequest
        case .methodNotAllowed: .methodNotAllowed
        case .doctorIsBusy: .conflict
        case .tokenMissing, .tokenWrong: .unauthorized
        case .tooManyGuesses: .tooManyRequests
        case .foreignHost, .foreignOrigin, .otherUser: .forbidden
        case .bodyTooLarge: .contentTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .tooManyVerifications, .ending, .tooManyOnlookers, .vaultAway: .serviceUnavailable
        case .vault: .internalServerError
        }
    }

    /// The fields that the status owes.
    var fields: HTTPFields {
        switch self {
        // GET stands for HEAD too.
        case .methodNotAllowed(let allowed):
            [.allow: allowed.map { $0 == .get ? "GET, HEAD" : $0.rawValue }.joined(separator: ", ")]
        case .tokenMissing, .tokenWrong: AdminAnswer.challenge
        case .tooManyVerifications, .vaultAway: [.retryAfter: "1"]
        case .tooManyGuesses(let seconds): [.retryAfter: "\(seconds)"]
        default: [:]
        }
    }

    /// A sentence for a person.
    var sentence: String {
        switch self {
        case .unknownPath:
            "There is nothing here. The admin listener has /, /healthz, /readyz, /metrics, /ca.pem, /requests, "
                + "/requests/ID, /events, /status, /register, /accounts, /accounts/API/NAME, /doctor, /reload and /quit."
        case .malformedPath:
            "The path is malformed: API and NAME must be percent-encoded UTF-8."
        case .methodNotAllowed(let allowed):
            "The method is not allowed here; use \(allowed.map(\.rawValue).joined(separator: " or "))."
        case .tokenMissing:
            "The admin token is missing: send Authorization: Bearer TOKEN with that of listen.admin.token (or enrolment.token)."
        case .tokenWrong:
            "The admin token is not the one of listen.admin.token (or enrolment.token)."
        case .tooManyGuesses(let seconds):
            "Tokens and passwords from this address were wrong too often, and others wait to be checked: this token was "
                + "not. Try again in \(seconds) s."
        case .severalHosts:
            "The request has more than one Host field."
        case .foreignHost:
            "The Host field names another host: on loopback only requests to localhost or an IP address are served. Use the "
                + "address."
        case .foreignOrigin:
            "Without listen.admin.token requests from pages of other sites are not served."
        case .enrolmentOff:
            "Enrolment is not configured: say in enrolment.access_types where claims are verified."
        case .unknownAccount:
            "There is no such account. GET /accounts lists those in the vault, GET /status also those of the configuration."
        case .bodyTooLarge(let limit):
            "The body is larger than \(limit) bytes."
        case .unsupportedMediaType:
            "The body must be application/x-www-form-urlencoded or application/json, in UTF-8, and Content-Type must say "
                + "which."
        case .malformedBody(let reason):
            reason
        case .fieldsMissing(let names):
            "Required field(s) \(names.map(\.rawValue).joined(separator: ", ")) missing or empty"
        case .unknownAccessType(let configured):
            "access_type must be a number of enrolment.access_types: "
                + configured.map(String.init).joined(separator: ", ") + "."
        case .tooManyVerifications:
            "Too many claims wait to be verified. Try again later."
        case .vault(let reason), .vaultAway(let reason):
            reason
        case .ending:
            "The proxy is stopping: nothing is reloaded any more."
        case .otherUser:
            "Without listen.admin.token only the user that the proxy runs as, and root, see its requests, remove accounts, "
                + "and have it run checks, reload and stop. Ask as that user, or configure a token."
        case .malformedNumber:
            "after is not the number of a request: GET /requests?after=7 lists those that came after the one with the id 7."
        case .unknownRequest:
            "There is no such request, or it is not kept any more. GET /requests lists them."
        case .tooManyOnlookers:
            "Too many look on at once. Close one of the pages."
        case .doctorIsBusy:
            "The checks are being run for somebody else. Try again when they are done."
        }
    }
}

extension AdminRefusal {
    init(_ fault: RegistrationFields.Fault) {
        self =
            switch fault {
            case .malformed(let reason): .malformedBody(reason: reason)
            case .missing(let names): .fieldsMissing(names)
            }
    }

    init(_ error: VaultError) {
        self = error.isUnavailability ? .vaultAway(reason: "\(error)") : .vault(reason: "\(error)")
    }
}

import Credentials
import Hummingbird
import NIOCore
import OAuthSigning

/// Reads the claim out of a `POST /register`.
enum RegistrationBody {
    static let limit = 65_536

    /// - Parameter accessTypes: Those that are configured.
    static func claim(
        in request: Request,
        accessTypes: Set<EnrolmentAccessType>
    ) async throws(AdminRefusal) -> EnrolmentClaim {
        let fields = try await fields(of: request).all()
        guard let accessType = accessTypes.first(where: { String($0.rawValue) == fields.accessType }) else {
            throw .unknownAccessType(configured: accessTypes.map(\.rawValue).sorted())
        }
        return EnrolmentClaim(accessType: accessType, passkey: fields.passkey, passcode: Secret(fields.passcode))
    }

    private static func fields(of request: Request) async throws(AdminRefusal) -> RegistrationFields {
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
            return try RegistrationFields(form: [])
        }
        guard types.count == 1, isUTF8(type) else { throw .unsupportedMediaType }
        switch parts(of: type).first {
        case "application/x-www-form-urlencoded": return try RegistrationFields(form: body)
        case "application/json": return try RegistrationFields(json: body)
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

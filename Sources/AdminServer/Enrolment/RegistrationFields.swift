import Bytes
import Credentials
import OAuthSigning

/// The fields of `POST /register` as they were sent.
struct RegistrationFields {
    /// The names of the fields, in the order in which they are named to a person.
    enum Name: String, CaseIterable {
        case accessType = "access_type"
        case passkey
        case passcode
    }

    /// The reason why no registration can be read.
    enum Fault: Error, Equatable {
        case malformed(reason: String)
        case missing([Name])
    }

    private var values: [Name: String] = [:]

    /// - Throws: When the bytes are no form (`application/x-www-form-urlencoded`), or have a field twice.
    init(form bytes: [UInt8]) throws(Fault) {
        for pair in WrittenPair.pairs(of: bytes) {
            guard let name = PercentEncoding.decodeText(pair.name, plusIsSpace: true),
                let value = PercentEncoding.decodeText(pair.value, plusIsSpace: true)
            else {
                throw .malformed(reason: "The form is malformed: it must be percent-encoded UTF-8.")
            }
            guard let name = Name(rawValue: name) else { continue }
            guard values.updateValue(value, forKey: name) == nil else { throw Self.repeated(name) }
        }
    }

    /// Numbers are taken as they are written.
    ///
    /// - Throws: When the bytes are no JSON object, or a field is neither a text nor a number, or there twice.
    init(json bytes: [UInt8]) throws(Fault) {
        guard let object = JSONObject(bytes) else {
            throw .malformed(reason: "The body is not a JSON object.")
        }
        for name in Name.allCases {
            switch object[name.rawValue] {
            case .text(let value), .number(let value): values[name] = value
            case .null, nil: continue
            case .repeated: throw Self.repeated(name)
            case .other: throw .malformed(reason: "\(name.rawValue) must be a text or a number.")
            }
        }
    }

    private static func repeated(_ name: Name) -> Fault {
        .malformed(reason: "\(name.rawValue) is there more than once.")
    }

    /// The values, in the order of ``Name``.
    /// - Throws: When some are missing, empty or blank.
    func all() throws(Fault) -> (accessType: String, passkey: String, passcode: String) {
        let isMissing = { (name: Name) in
            values[name]?.unicodeScalars.allSatisfy(\.properties.isWhitespace) ?? true
        }
        let missing = Name.allCases.filter(isMissing)
        guard missing.isEmpty, let accessType = values[.accessType], let passkey = values[.passkey],
            let passcode = values[.passcode]
        else { throw .missing(missing) }
        return (accessType, passkey, passcode)
    }
}

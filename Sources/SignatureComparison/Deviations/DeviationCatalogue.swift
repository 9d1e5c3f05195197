import Bytes
import OAuthSigning

/// All deviations that are tried for one request, the likelier ones first.
struct DeviationCatalogue: Sendable {
    let request: ComparedRequest
    /// The right way to sign it, with the other side's protocol parameters.
    let reference: SigningRecipe
    /// The protocol parameters that we would send.
    let own: [ProtocolParameter]
    /// The token's secret, where the right key has none.
    let unusedTokenSecret: Secret?
    /// The `oauth_signature` that was signed, if any was: empty where it cannot be known.
    var signedSignature: [UInt8] = []
    /// The realms that may have been signed.
    let realms: [String]
    /// Character sets that are tried besides those of ``CodePage``.
    let characterSets: [OtherCharacterSet]
    /// Names of variables that the secrets may be in.
    var secretNames: [String] = []

    /// The deviations in the text that is signed; where two come to the same for a request, the first of them is named:
    /// what is likelier, or more to the point.
    var texts: [Deviation] {
        sourceDeviations.of(.selection) + duplicateDeviations.of(.names) + emptyDeviations.of(.values)
            + portDeviations.of(.host) + schemeDeviations.of(.scheme) + hostDeviations.of(.host)
            + spaceDeviations.of(.escaping) + digitDeviations.of(.escaping) + reservedDeviations.of(.escaping)
            + unreservedDeviations.of(.escaping) + formDeviations.of(.escaping) + spelledDeviations.of(.sent)
            + readingDeviations.of(.reading) + missingDeviations.of(.escaping) + otherReservedDeviations.of(.escaping)
            + repeatedDeviations.of(.escaping) + orderDeviations.of(.order) + unsignedDeviations.of(.sent)
            + addedDeviations.of(.sent) + pathDeviations.of(.path) + methodDeviations.of(.method)
            + hostNameDeviations + pathTextDeviations + writtenDeviations + bodyDeviations + listDeviations
            + valueDeviations + nestedDeviations + nameDeviations + characterDeviations + sortDeviations
            + extraDeviations + textDeviations
    }

    /// The deviations that are too many to be tried in twos.
    var single: [Deviation] { timestampDeviations + droppedDeviations + singleDeviations }

    /// The deviations that are seldom, and tried with no other.
    var guesses: [Deviation] { textPlaces.flatMap(\.deviations) + parameterGuesses + encodingGuesses }

    /// Indicates whether the form in the body is signed, parameter by parameter.
    var signsForm: Bool { reference.parameters.contains { $0.origin == .form } }
}

extension DeviationCatalogue {
    private var methodDeviations: [Deviation] {
        let written = request.method
        let cases = [written, written.map(\.lowercasedASCII)].map { method in
            let text = String(decoding: method, as: UTF8.self)
            return Deviation(.methodCase, "The other side signed the method as \(text); it must be upper case.") {
                $0.method = method
            }
        }
        let real = String(decoding: reference.method, as: UTF8.self)
        let others = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].map { method in
            Deviation(.method, "The other side signed the method \(method); the request is \(real).") {
                $0.method = Array(method.utf8)
            }
        }
        return cases + others
    }
}

extension DeviationCatalogue {
    /// RFC 5849, section 3.4.1.3.2.
    private var orderDeviations: [Deviation] {
        let sorts: [(ParameterOrder, ComparisonCause, String)] = [
            (
                .beforeEncoding, .sortedBeforeEncoding,
                "The other side sorted the parameters before it encoded them; they are sorted as encoded."
            ),
            (
                .namesOnly, .sortedByNameOnly,
                "The other side sorted by name only; parameters with one name are sorted by value."
            ),
            (
                .pairs, .sortedAsPairs,
                "The other side sorted name=value as one text, so that the = takes part; names are compared first."
            ),
            (.ignoringCase, .sortedIgnoringCase, "The other side sorted without regard to case; bytes are compared."),
        ]
        let places: [[ParameterOrigin]] = [
            [.query, .form, .protocol], [.protocol, .query, .form], [.form, .query, .protocol],
            [.protocol, .form, .query], [.query, .protocol, .form], [.form, .protocol, .query],
        ]
        let received = places.map { origins in
            Deviation(.notSorted, "The other side did not sort the parameters.") { $0.order = .received(origins) }
        }
        let groups = places.map { origins in
            Deviation(
                .sortedInGroups,
                "The other side sorted the parameters of query, form and protocol each by themselves; all are sorted as one."
            ) { $0.order = .groups(origins) }
        }
        return sorts.map { order, cause, sentence in Deviation(cause, sentence) { $0.order = order } } + received
            + groups
    }
}

// What has many variants, each of which is only tried alone.
extension DeviationCatalogue {
    /// Seconds to either side; a signer that takes the time twice is seldom slower.
    private static let seconds = 30
    /// The number of parameters that are tried; of more, the rest is not.
    private static let parameterLimit = 128

    /// A timestamp that was taken once for the signature and once for the field.
    private var timestampDeviations: [Deviation] {
        guard
            let index = reference.parameters.firstIndex(where: {
                $0.origin == .protocol && $0.nameText == "oauth_timestamp"
            }),
            let sent = Int(reference.parameters[index].valueText), sent < Int.max - Self.seconds
        else { return [] }
        return (1...Self.seconds).flatMap { [-$0, $0] }.map { distance in
            let value = Array(String(sent + distance).utf8)
            let sentence =
                "The other side signed oauth_timestamp \(sent + distance), but sent \(sent): it takes the time twice, and "
                + "must take it once."
            return Deviation(.timestamp, sentence) { $0.parameters[index].value = value }
        }
    }

    /// Each parameter of the query and the form, left out.
    private var droppedDeviations: [Deviation] {
        let indices = reference.parameters.indices.filter { reference.parameters[$0].origin != .protocol }
        let single = indices.prefix(Self.parameterLimit).map { index in
            let parameter = reference.parameters[index]
            let place = parameter.origin == .query ? "query" : "form"
            let sentence =
                "The other side did not sign the parameter \(parameter.nameText)=\"\(parameter.valueText)\" of the \(place)."
            return Deviation(.parameterNotSigned, sentence) { $0.parameters.remove(at: index) }
        }
        let few = indices.count > 12 ? [] : Array(indices)
        let two = few.flatMap { index in few.filter { $0 > index && indices.count > 2 }.map { [index, $0] } }
        let rest = few.count > 2 ? few.map { kept in few.filter { $0 != kept } } : []
        return single
            + (two + rest).map { dropped in
                let names = dropped.map { reference.parameters[$0].nameText }.joined(separator: ", ")
                return Deviation(
                    .parameterNotSigned,
                    "The other side did not sign the parameters \(names) of the request."
                ) {
                    for index in dropped.reversed() where index < $0.parameters.count {
                        $0.parameters.remove(at: index)
                    }
                }
            }
    }
}

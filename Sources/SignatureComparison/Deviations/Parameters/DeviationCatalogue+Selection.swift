import OAuthSigning

extension DeviationCatalogue {
    /// The deviations in what of query and body is signed at all (RFC 5849, section 3.4.1.3.1).
    var sourceDeviations: [Deviation] {
        var deviations: [Deviation] = []
        if signsForm {
            let contentType = String(decoding: request.contentType ?? [], as: UTF8.self)
            let (cause, sentence): (ComparisonCause, String) =
                contentType.contains(";")
                ? (
                    .formCharset,
                    "The other side did not sign the form: it takes \(contentType) for no form because of what follows "
                        + "the semicolon."
                )
                : (
                    .formNotSigned,
                    SignatureComparison.isJSONDocument(request.body)
                        ? "The other side did not sign the body, which is JSON, but goes out as a form: send Content-Type: "
                            + "application/json."
                        : "The other side did not sign the fields of the form in the body."
                )
            deviations.append(Deviation(cause, sentence) { $0.parameters.removeAll { $0.origin == .form } })
        } else if !request.body.isEmpty {
            let body = RecipeParameter.all(in: request.body, origin: .form)
            let sentence =
                request.isForm
                ? "The other side signed the fields of the form one by one, although oauth_body_hash covers it."
                : "The other side signed the body as a form, which it is not: its Content-Type is "
                    + "\(request.contentType.map { String(decoding: $0, as: UTF8.self) } ?? "missing")."
            deviations.append(Deviation(.bodySignedAsForm, sentence) { $0.parameters += body })
        }
        deviations.append(
            Deviation(.queryNotSigned, "The other side did not sign the parameters of the query.") {
                $0.parameters.removeAll { $0.origin == .query }
            }
        )
        return deviations
    }

    var duplicateDeviations: [Deviation] {
        var seen: Set<[UInt8]> = []
        let repeated = reference.parameters.filter { !seen.insert($0.name).inserted }.map(\.nameText)
        let names = Set(repeated).sorted().joined(separator: ", ")
        return [
            Deviation(.duplicateDropped, "The other side kept only the last of several parameters named \(names).") {
                $0.parameters = Self.keepingFirst($0.parameters.reversed()) { $0.name }.reversed()
            },
            Deviation(.duplicateDropped, "The other side kept only the first of several parameters named \(names).") {
                $0.parameters = Self.keepingFirst($0.parameters) { $0.name }
            },
            Deviation(.duplicateDropped, "The other side kept only one of several equal parameters named \(names).") {
                $0.parameters = Self.keepingFirst($0.parameters) { $0.name + [0] + $0.value }
            },
            Deviation(.duplicateJoined, "The other side joined the values of parameters named \(names) by a comma.") {
                var joined: [RecipeParameter] = []
                for parameter in $0.parameters {
                    if let index = joined.firstIndex(where: { $0.name == parameter.name }) {
                        joined[index].value += [UInt8(ascii: ",")] + parameter.value
                    } else {
                        joined.append(parameter)
                    }
                }
                $0.parameters = joined
            },
            Deviation(.arrayIndexed, "The other side counted the parameters named x[] and signed x[0], x[1], ….") {
                var counts: [[UInt8]: Int] = [:]
                let brackets = Array("[]".utf8)
                for index in $0.parameters.indices where $0.parameters[index].name.suffix(2) == brackets[...] {
                    let name = $0.parameters[index].name
                    $0.parameters[index].name = name.dropLast() + Array("\(counts[name, default: 0])]".utf8)
                    counts[name, default: 0] += 1
                }
            },
        ]
    }

    private static func keepingFirst(
        _ parameters: [RecipeParameter],
        by identity: (RecipeParameter) -> [UInt8]
    ) -> [RecipeParameter] {
        var seen: Set<[UInt8]> = []
        return parameters.filter { seen.insert(identity($0)).inserted }
    }

    var emptyDeviations: [Deviation] {
        // One that is no form has the look of a name without a value.
        let isJSON = signsForm && SignatureComparison.isJSONDocument(request.body)
        return [
            Deviation(.emptyParameterDropped, "The other side left out parameters with an empty value.") {
                $0.parameters.removeAll { parameter in
                    parameter.origin != .protocol && parameter.value.isEmpty && !(isJSON && parameter.origin == .form)
                }
            },
            Deviation(.equalsMissing, "The other side signed a parameter without a value as a name without \"=\".") {
                for index in $0.parameters.indices where !$0.parameters[index].written.hasEquals {
                    $0.parameters[index].hasEquals = false
                }
            },
            Deviation(.equalsMissing, "The other side signed parameters with an empty value as names without \"=\".") {
                for index in $0.parameters.indices where $0.parameters[index].value.isEmpty {
                    $0.parameters[index].hasEquals = false
                }
            },
        ]
    }

    /// The deviations in what is read from the bytes of query and form.
    var readingDeviations: [Deviation] {
        let (query, body) = (request.query, signsForm ? request.body : [])
        return [
            Deviation(.semicolonSeparator, "The other side took a semicolon for the end of a parameter.") {
                $0.parameters.removeAll { $0.origin != .protocol }
                $0.parameters += RecipeParameter.all(in: query, origin: .query, separators: "&;")
                $0.parameters += RecipeParameter.all(in: body, origin: .form, separators: "&;")
            },
            Deviation(.plusKept, "The other side took + in the query or the form for a plus sign; it is a space.") {
                Self.change(&$0) { ($0.name, $0.value) = $0.written.decoded(plusIsSpace: false) }
            },
            Deviation(
                .queryAsWritten,
                "The other side signed the query or the form as it is written; it must be decoded and encoded anew."
            ) {
                Self.change(&$0) {
                    ($0.name, $0.value) = ($0.written.name, $0.written.value)
                    $0.isEncoded = true
                }
            },
            Deviation(
                .doubleEncoding,
                "The other side encoded the query or the form twice: it did not decode what is written there first."
            ) {
                Self.change(&$0) { ($0.name, $0.value) = ($0.written.name, $0.written.value) }
            },
        ]
    }

    /// Changes each parameter that is not one of the protocol's.
    static func change(_ recipe: inout SigningRecipe, _ change: (inout RecipeParameter) -> Void) {
        for index in recipe.parameters.indices where recipe.parameters[index].origin != .protocol {
            change(&recipe.parameters[index])
        }
    }
}

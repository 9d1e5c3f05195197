import Bytes
import OAuthSigning

// Parameters of the protocol that were signed otherwise than they were sent.
extension DeviationCatalogue {
    /// No signer sends as many as that. Whoever does may be a stranger, and each costs thousands of attempts.
    private static let mostSent = 32

    private var sent: ArraySlice<RecipeParameter> {
        let all = reference.parameters.filter { $0.origin == .protocol }
        let (own, foreign) = (
            all.filter { $0.nameText.hasPrefix("oauth_") }, all.filter { !$0.nameText.hasPrefix("oauth_") }
        )
        return (own + foreign).prefix(Self.mostSent)
    }

    var unsignedDeviations: [Deviation] {
        sent.map { parameter in
            let name = parameter.name
            return Deviation(
                .parameterNotSigned,
                "The other side did not sign \(parameter.nameText), although it is sent."
            ) { $0.parameters.removeAll { $0.origin == .protocol && $0.name == name } }
        }
    }

    var addedDeviations: [Deviation] {
        var deviations: [Deviation] = []
        let usual = [
            ProtocolParameter(name: "oauth_version", value: "1.0"), ProtocolParameter(name: "oauth_token", value: ""),
        ]
        for parameter in own + usual {
            let value = Array(parameter.value.utf8)
            let shown = parameter.value.isEmpty ? "an empty \(parameter.name)" : "\(parameter.name)=\(parameter.value)"
            if let other = sent.first(where: { $0.nameText == parameter.name }) {
                let sentence = "The other side signed \(shown), but sent it as \"\(other.valueText)\"."
                deviations.append(
                    Deviation(.parameterValue, sentence) { Self.setValue(of: other.name, in: &$0) { _ in value } }
                )
            } else {
                let added = RecipeParameter(protocolName: Array(parameter.name.utf8), value: value)
                deviations.append(
                    Deviation(.parameterAdded, "The other side signed \(shown), but did not send it.") {
                        $0.parameters.insert(added, at: 0)
                    }
                )
            }
        }
        let signature = RecipeParameter(protocolName: Array("oauth_signature".utf8), value: signedSignature)
        deviations.append(
            Deviation(
                .signatureSigned,
                "The other side signed \(signedSignature.isEmpty ? "an empty" : "an") oauth_signature, which takes no part."
            ) {
                $0.parameters.insert(signature, at: 0)
            }
        )
        for realm in realms {
            let parameter = RecipeParameter(protocolName: Array("realm".utf8), value: Array(realm.utf8))
            deviations.append(
                Deviation(.realmSigned, "The other side signed the realm, which takes no part.") {
                    $0.parameters.insert(parameter, at: 0)
                }
            )
        }
        return deviations
    }

    var spelledDeviations: [Deviation] {
        sent.flatMap { parameter in
            let (name, text) = (parameter.name, parameter.nameText)
            return [
                Deviation(
                    .doubleEncoding,
                    "The other side sent \(text) encoded once more than it signed it, or encoded it twice in the field."
                ) { Self.setValue(of: name, in: &$0) { PercentEncoding.decodeLeniently($0.span) } },
                Deviation(.doubleEncoding, "The other side encoded \(text) twice before it signed it.") {
                    Self.setValue(of: name, in: &$0) { PercentEncoding.encode($0) }
                },
            ]
        }
    }

    private static func setValue(
        of name: [UInt8],
        in recipe: inout SigningRecipe,
        _ change: ([UInt8]) -> [UInt8]
    ) {
        for index in recipe.parameters.indices
        where recipe.parameters[index].origin == .protocol && recipe.parameters[index].name == name {
            recipe.parameters[index].value = change(recipe.parameters[index].value)
        }
    }
}

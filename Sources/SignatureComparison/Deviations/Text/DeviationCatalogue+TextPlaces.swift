import Bytes
import OAuthSigning

// The same changes of text in all places.
extension DeviationCatalogue {
    /// The number of parameters that are looked at by themselves: the request may be a stranger's.
    private static let mostParameters = 16

    /// The texts that something may have happened to, each by itself and those of one kind together.
    var textPlaces: [TextPlace] {
        let protocolIndices = reference.parameters.indices.filter { reference.parameters[$0].origin == .protocol }
        let indices = reference.parameters.indices.filter { reference.parameters[$0].origin != .protocol }
        let own = protocolIndices.prefix(Self.mostParameters).map { index in
            let name = reference.parameters[index].nameText
            return values([index], name, [name, name.withoutPrefix, "value"], cause: .parameterValue)
        }
        let each = indices.prefix(Self.mostParameters).flatMap { index in
            let name = reference.parameters[index].nameText
            return [
                values([index], "the value of \(name), and of this parameter alone,", [name, "value"], cause: nil),
                names([index], "the name \(name), and of this parameter alone,"),
            ]
        }
        let all =
            (protocolIndices.count > 1
                ? [values(protocolIndices, "each value of the protocol's parameters", [], cause: .parameterValue)]
                : [])
            + (indices.count > 1
                ? [
                    values(indices, "each value", ["value"], cause: nil), names(indices, "each name"),
                ] : [])
        return own + each + all + [host, method(isRaw: false), method(isRaw: true)] + paths
    }

    private func values(
        _ indices: [Int],
        _ words: String,
        _ names: [String],
        cause: ComparisonCause?
    ) -> TextPlace {
        let texts = indices.map { reference.parameters[$0].valueText }
        return TextPlace(words: words, names: names, cause: cause, texts: texts) { recipe, change in
            for index in indices where index < recipe.parameters.count {
                recipe.parameters[index].value = recipe.parameters[index].value.changed(change)
            }
        }
    }

    private func names(_ indices: [Int], _ words: String) -> TextPlace {
        let texts = indices.map { reference.parameters[$0].nameText }
        return TextPlace(words: words, names: ["name", "key", "value"], cause: .nameSpelling, texts: texts) {
            recipe,
            change in
            for index in indices where index < recipe.parameters.count {
                recipe.parameters[index].name = recipe.parameters[index].name.changed(change)
            }
        }
    }

    private var host: TextPlace {
        TextPlace(words: "the host", names: ["host", "value"], cause: .host, texts: [reference.uri.host.text]) {
            $0.uri.host = $0.uri.host.changed($1)
        }
    }

    /// The place of the method. Few signers encode it, which has nothing to encode when it is right.
    private func method(isRaw: Bool) -> TextPlace {
        TextPlace(
            words: "the method",
            names: ["method", "verb", "value"],
            cause: .method,
            texts: [reference.method.text]
        ) {
            $0.method = $0.method.changed($1)
            $0.isMethodRaw = isRaw
        }
    }

    private var paths: [TextPlace] {
        let segments = Self.segments(reference.uri.path)
        let whole = TextPlace(
            words: "the path",
            names: ["path", "value"],
            cause: .path,
            texts: [reference.uri.path.text]
        ) { $0.uri.path = $0.uri.path.changed($1) }
        guard let last = segments.last, !last.isEmpty else { return [whole] }
        let segment = TextPlace(
            words: "the last segment of the path",
            names: ["id", "name"],
            cause: .path,
            texts: [last.text]
        ) { recipe, change in
            var segments = Self.segments(recipe.uri.path)
            guard let last = segments.popLast() else { return }
            recipe.uri.path = Self.path(segments + [last.changed(change)])
        }
        return [whole, segment]
    }
}

/// A text of a signed request that something may have happened to.
struct TextPlace: Sendable {
    /// The words behind "The other side signed".
    let words: String
    /// The names under which a template or a program may know it.
    let names: [String]
    /// The cause, where it is not that of the change.
    let cause: ComparisonCause?
    /// The texts, one for each parameter that it is about.
    let texts: [String]
    /// Puts others there.
    let change: @Sendable (inout SigningRecipe, (String) -> String) -> Void

    /// All changes that make another text of it, each of them once.
    var deviations: [Deviation] {
        var tried: Set<[String]> = [texts]
        let changes = TextChange.all + names.flatMap { TextChange.placeholders(named: $0) }
        return changes.compactMap { change in
            // Another that comes to the same has the same sign to be known by.
            guard tried.insert(texts.map(change.change)).inserted else { return nil }
            return Deviation(cause ?? change.cause, "The other side signed \(words) \(change.words).") { recipe in
                self.change(&recipe, change.change)
            }
            .of(.values, isRare: true, isAlone: true)
        }
    }
}

extension String {
    fileprivate var withoutPrefix: String { hasPrefix("oauth_") ? String(dropFirst(6)) : self }
}

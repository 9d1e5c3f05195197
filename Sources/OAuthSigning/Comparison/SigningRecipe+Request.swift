extension SigningRecipe {
    /// The right way to sign a request with protocol parameters that are given.
    init(
        _ request: ComparedRequest,
        protocolParameters: [RecipeParameter],
        key: KeyRecipe,
        signatureMethod: SignatureMethod
    ) {
        method = request.method.map(\.uppercasedASCII)
        uri = RecipeURI(scheme: request.scheme, authority: request.authority, target: request.target)
        parameters = protocolParameters + RecipeParameter.all(in: request.query, origin: .query)
        // A hash of a form covers it as a whole.
        if request.isForm, !protocolParameters.contains(where: { $0.nameText == BodyHash.parameterName }) {
            parameters += RecipeParameter.all(in: request.body, origin: .form)
        }
        self.key = key
        self.signatureMethod = signatureMethod
    }
}

/// The OAuth Problem Reporting extension, with its parameters in the body and in the challenge.
struct ProblemReportingWording: RefusalWording {
    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> SimulatedAnswer {
        .form(
            refusal.problemPairs + [("oauth_problem_advice", refusal.description)],
            status: refusal.problemStatus,
            contentType: "application/x-www-form-urlencoded",
            fields: [challenge(refusal, realm: realm)]
        )
    }
}

"""Every way by which Paraph comes to speak to a provider, as something to be done and seen refused."""

from .enrolment import API
from .enrolment import Scene as EnrolmentScene
from .http2_client import HTTP2Client
from .http2_server import ServerConnection
from .login import ADDRESS, Browser, Login
from .password_grant import PasswordGrant
from .raw import ask
from .three_legged import ThreeLegged
from .waiting import wait_until
from .xauth import XAuth


class Way:
    """A request through CONNECT; others differ in what comes before it.

    The provider ends every connection with its answer. `before` is how many of them it takes to come to the one that
    is looked at.
    """

    before = 0
    # Whether a process of its own goes this way, which counts for nobody and has no log.
    is_command = False

    def __init__(self, world, launch):
        self.world, self.launch = world, launch
        self.application = world.provider.new_application()
        self.listener = world.provider.listen(world.certificates.good)
        self.listener.closes = True
        self.entry, self.path = {}, "/x"
        self.accounts = {"default": world.issued(self.application.issue("default"))}
        self.prepare()

    def prepare(self):
        """What differs in the configuration."""

    def configuration(self, tls, **whole):
        """`tls` without the trust roots."""
        arguments = (self.world.HOST,), self.application, self.accounts, self.listener
        entry = {**self.world.api(*arguments, tls=tls), **self.entry}
        return self.world.configuration({"main": {k: v for k, v in entry.items() if v is not None}}, **whole)

    def start(self, tls, **whole):
        self.paraph = self.launch(self.configuration(tls, **whole))
        return self.paraph

    def act(self):
        """What was told when Paraph refused to go on, or None when all went well."""
        return self.judged(ask(self.paraph, f"{self.world.URL}{self.path}"))

    @staticmethod
    def judged(answer):
        if answer.status == 200:
            answer.verified()
            return None
        # Where there is no other token, it is the provider's refusal that the client gets, with a diagnosis.
        return answer.diagnosis(401) if answer.status == 401 else answer.problem(502)


class AbsoluteForm(Way):
    def act(self):
        return self.judged(ask(self.paraph, f"http://{self.world.HOST}{self.path}"))


class ByHTTP2(Way):
    """The provider speaks HTTP/2, and so may the client's connection."""

    def prepare(self):
        self.listener = self.world.provider.listen(self.world.certificates.good, http2=ServerConnection)
        self.listener.closes = True


class ByHTTP2OnBothSides(ByHTTP2):
    def act(self):
        with HTTP2Client(self.paraph, self.world.HOST) as client:
            return self.judged(client.exchange("GET", self.path))


class ReverseAuthFirstStep(Way):
    def prepare(self):
        self.accounts = {"default": self.world.reverse_auth_account(self.application)}


class ReverseAuthSecondStep(ReverseAuthFirstStep):
    before = 1


class FirstRequestAfterExchange(ReverseAuthFirstStep):
    before = 2


class AnotherExchange(ReverseAuthFirstStep):
    """The token is refused, and another one is to be fetched."""

    before = 3

    def prepare(self):
        super().prepare()
        self.path = self.world.provider.route(self.refuse_first)

    def refuse_first(self, call):
        if len(self.application.reverse_auth.issued) > 1:
            return call.answer()
        call.verify()
        call.respond(401, [("WWW-Authenticate", 'OAuth oauth_problem="token_rejected"')])


class RepetitionWithAnotherToken(AnotherExchange):
    before = 5


class RepetitionByTheProvidersClock(Way):
    before = 1

    def prepare(self):
        self.refused = 0
        self.path = self.world.provider.route(self.refuse_first)

    def refuse_first(self, call):
        if self.refused:
            return call.answer()
        self.refused += 1
        call.verify()
        call.provider.clock_ahead = 600
        call.respond(401, [("WWW-Authenticate", 'OAuth oauth_problem="timestamp_refused"')])


class XAuthExchange(Way):
    def prepare(self):
        server = XAuth(self.world.provider, self.application)
        server.new_user("alice")
        self.accounts = {"default": {"xauth": server.settings(self.world, "alice")}}


class PasswordExchange(Way):
    def prepare(self):
        self.server = PasswordGrant(self.world.provider)
        self.accounts = {"default": {"password": {"username": "alice", "password": self.server.new_user("alice")}}}
        self.entry = {"oauth1": None, "oauth2": self.server.settings(self.world)}
        self.path = self.server.resource


class Refresh(PasswordExchange):
    before = 3

    def start(self, tls, **whole):
        super().start(tls, **whole)
        assert self.act() is None
        self.server.revoke_access_tokens()
        return self.paraph


class RepetitionAfterRefresh(Refresh):
    before = 4


class ExchangeByLogin(XAuthExchange):
    is_command = True

    def act(self):
        code, said = Login(self.paraph, "main").finish()
        return said if code else None


class TemporaryCredentials(Way):
    """The first leg of RFC 5849, by `paraph login`."""

    is_command = True

    def prepare(self):
        self.server = ThreeLegged(self.world.provider, self.application)
        self.accounts = {"default": {"three_legged": self.server.settings(self.world)}}

    def act(self):
        person = Login(self.paraph, "main")
        wait_until(lambda: ADDRESS.search(person.text) or person.process.poll() is not None, "an address, or the end")
        if person.process.poll() is None:
            person.type(Browser(self.world.certificates).pin(person.address()))
        code, said = person.finish()
        return said if code else None


class TokenCredentials(TemporaryCredentials):
    before = 1


class Enrolment(Way):
    kind = "oauth1"

    def start(self, tls, **whole):
        self.scene = EnrolmentScene(self.world, self.launch)
        self.paraph = self.scene.paraph
        self.apis = self.paraph.configuration["apis"]
        self.claim = self.scene.claim(self.kind)
        self.paraph.reload(self.configuration(tls, **whole))
        return self.paraph

    def configuration(self, tls, **whole):
        name = API[self.kind]
        entry = {**self.apis[name], "connect_to": self.listener.address, "tls": {**self.apis[name]["tls"], **tls}}
        return {**self.paraph.configuration, "apis": {**self.apis, name: entry}, **whole}

    def act(self):
        answer = self.scene.register(self.claim)
        if answer.status in (200, 201):
            return None
        assert answer.status == 502, answer
        return answer.json["detail"]


class EnrolmentOfBearer(Enrolment):
    kind = "bearer"


class EnrolmentOfPassword(Enrolment):
    kind = "password"


EVERY_WAY = {
    "a request through CONNECT": Way,
    "a request in absolute form": AbsoluteForm,
    "a request to HTTP/2": ByHTTP2,
    "a request by HTTP/2": ByHTTP2OnBothSides,
    "reverse auth, step 1": ReverseAuthFirstStep,
    "reverse auth, step 2": ReverseAuthSecondStep,
    "the first request after an exchange": FirstRequestAfterExchange,
    "an exchange for a token that was refused": AnotherExchange,
    "a repetition with another token": RepetitionWithAnotherToken,
    "a repetition by the provider's clock": RepetitionByTheProvidersClock,
    "xAuth": XAuthExchange,
    "the password grant": PasswordExchange,
    "a refresh": Refresh,
    "a repetition after a refresh": RepetitionAfterRefresh,
    "an exchange by login": ExchangeByLogin,
    "temporary credentials": TemporaryCredentials,
    "token credentials": TokenCredentials,
    "enrolment by OAuth 1.0a": Enrolment,
    "enrolment by a bearer token": EnrolmentOfBearer,
    "enrolment by a password": EnrolmentOfPassword,
}

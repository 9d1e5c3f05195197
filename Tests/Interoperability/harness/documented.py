"""The other side of what README.md and the pages that go on with it show."""

import json

from .provider import Provider
from .readme import Shell, block, configuration, hosts

TWITTER = block("yaml", "Write this into `paraph.yaml`")


class Site:
    """Everything on the other side: the hosts that the pages name, all of them one provider of a test's own."""

    def __init__(self, binary, certificates, monkeypatch, launch):
        self.binary = binary
        self.provider = Provider(certificates)
        self.certificates, self.monkeypatch, self.launch = certificates, monkeypatch, launch
        chain = certificates.server("readme", [*hosts(), "api.discogs.com", "www.discogs.com", "localhost"])
        self.listener = self.provider.listen(chain)
        self.pages = self.provider.listen(chain, through_proxy=False)

    def run(self, *parts, names_port=False, listener="127.0.0.1:0", **secrets):
        """A proxy with these blocks' configuration, its secrets in its environment, and a shell that has none. The file
        may name the port that was chosen, for commands that look there for it. `listener` is what it says of the
        proxy's own."""
        assert {v for p in parts for v in p.variables()} == set(secrets)
        trust = json.dumps(str(self.certificates.root_file))
        written = configuration(*parts, connect_to=self.listener.address, trust=trust)
        written = written.replace("'127.0.0.1:0'", json.dumps(listener), 1)
        with self.monkeypatch.context() as patch:
            for name, value in secrets.items():
                patch.setenv(name, value)
            self.paraph = paraph = self.launch(written)
        if names_port:
            paraph.reconfigure(written.replace('proxy: "127.0.0.1:0"', f"proxy: '{paraph.proxy}'"))
        return Shell.beside(paraph)

    def beside(self, folder, *parts, connect_to=None):
        """The same shell where no proxy runs. Commands find the configuration."""
        trust = None if connect_to else json.dumps(str(self.certificates.root_file))
        written = configuration(*parts, connect_to=connect_to or self.listener.address, trust=trust)
        (folder / "paraph.yaml").write_text(written)
        return Shell(self.binary, folder)

    def close(self):
        for listener in self.provider.listeners:
            listener.close()

    def twitter(self):
        """The application and the account of the first configuration."""
        self.application = self.provider.new_application(key=TWITTER.setting("consumer_key"))
        token = self.application.issue("default", TWITTER.setting("token"))
        return {"TWITTER_CONSUMER_SECRET": self.application.secret, "TWITTER_TOKEN_SECRET": token.secret}

    def verify_credentials(self, call):
        if not call.verify():
            return call.answer()
        user = call.record.verdict.token.user
        call.respond(200, [("Content-Type", "application/json")], json.dumps({"id_str": user, "user": user}))

    def refused(self):
        """What was wrong with requests."""
        return [(one.refused, one.fields) for one in self.provider.records if one.refused]

    def verified(self, user):
        """The targets of the requests so far, each signed rightly and as `user`."""
        found = self.provider.records
        assert [r.refused for r in found] == [None] * len(found)
        assert {r.verdict.token.user for r in found} == {user}
        return [r.target.decode() for r in found]

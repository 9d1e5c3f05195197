"""`paraph run` on an estate, and its clients."""

import base64

from .. import rfc5849
from ..raw import RawClient, request


class RunningProxy:
    """`paraph run` on an estate, and its clients."""

    def __init__(self, estate, folder, configuration, **options):
        self.estate, self.folder = estate, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.file = estate.write_configuration(folder, configuration)
        key = folder / "state" / "ca.key"
        estate.evidence.may_hold_secrets(key)
        self.command = estate.command(
            f"run in {folder.name}", "run", "--config", str(self.file), folder=folder, **options
        )
        self.proxy = self.command.address("proxy")
        self.admin_address = self.command.address("admin")
        text = "".join(line for line in key.read_text().splitlines() if not line.startswith("-----"))
        # An EC key: what follows its fixed beginning, and before its public half.
        estate.canaries.know("the local CA's private key", base64.b64decode(text)[36:68])
        self.ca = folder / "state" / "ca.pem"
        self.client = None

    @property
    def pid(self):
        return self.command.process.pid

    def credentials(self, account=None, client="billing", password=None):
        user = client if account is None else f"{client}+{account}"
        pair = f"{user}:{self.estate.client_passwords[client] if password is None else password}"
        return ("Proxy-Authorization", "Basic " + base64.b64encode(pair.encode()).decode())

    def ask(self, api, path, method="GET", fields=(), body=None, account=None, plain=False, host=None, **credentials):
        """One request through the proxy, its answer kept as evidence but for what the provider said."""
        authority = host or self.estate.host(api)
        authorization = self.credentials(account, **credentials)
        title = f"the answer to {method} {authority}{path[:40]}"
        try:
            if plain:
                data = request(method, f"http://{authority}{path}", authority, [authorization, *fields], body)
                answer = self.exchange(data, method)
            else:
                with RawClient(self.proxy, f"{authority}:443", self.ca, connect_fields=[authorization]) as client:
                    answer = client.refusal or client.exchange(request(method, path, authority, fields, body), method)
        except Exception as error:
            self.estate.evidence.add(f"{title}: an error", repr(error))
            raise
        self.keep(title, answer)
        return answer

    def exchange(self, data, method):
        """Over one connection, as long as the proxy keeps it."""
        client = self.client or RawClient(self.proxy)
        self.client = None
        answer = client.exchange(data, method)
        if (answer.value("connection") or "").lower() == "close":
            client.close()
        else:
            self.client = client
        return answer

    def keep(self, title, answer):
        record = answer.value("x-record")
        self.estate.evidence.answer(title, answer, self.estate.sent.get(int(record)) if record else None)

    def raw(self, data, title):
        """Whatever bytes to the proxy listener; what comes back, to the end."""
        with RawClient(self.proxy) as client:
            client.send(data)
            answer = client.answer_or_close()
        self.estate.evidence.answer(f"the answer to {title}", answer)
        return answer

    def admin(self, method, path, fields=(), body=None, token=True, title=None):
        """One request to the admin listener, with the token unless told otherwise."""
        fields = list(fields)
        if token:
            text = self.estate.admin_token if token is True else token
            fields.append(("Authorization", f"Bearer {text}"))
        if body is not None and not any(n == "Content-Type" for n, _ in fields):
            fields.append(("Content-Type", "application/x-www-form-urlencoded"))
        with RawClient(self.admin_address) as client:
            answer = client.exchange(request(method, path, self.admin_address, fields, body), method)
        self.estate.evidence.answer(title or f"the admin listener's answer to {method} {path}", answer)
        return answer

    def register(self, access_type, passkey, passcode, title=None):
        pairs = {"access_type": str(access_type), "passkey": passkey, "passcode": passcode}
        body = "&".join(f"{n}={rfc5849.encode(v)}" for n, v in pairs.items()).encode()
        return self.admin("POST", "/register", body=body, title=title)

    def stop(self):
        if self.client:
            self.client.close()
        if self.command.process.poll() is None:
            self.command.process.terminate()
        code = self.command.wait()
        assert code == 0, f"run ended with {code}:\n{self.command.text[-3000:]}"

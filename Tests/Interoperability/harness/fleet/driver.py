"""Those who use the fleet: clients with requests for many accounts, and people who enrol and remove accounts."""

import asyncio
import itertools
import time
from urllib.parse import urlencode

from .provider import HOST
from .wire import ask

# In seconds; an answer that takes longer never comes. Longer than any replica is stopped.
LIMIT = 60
# After that a client asks for something else; otherwise all of them would soon wait for a replica that stands still, and
# nobody would ask the others for what it has in hand. So many answers are waited for besides.
TIMEOUT, LEFT = 1, 100
API = "members"


class Driver:
    """`accounts` are those of the configuration; others are enrolled."""

    def __init__(self, history, draw, replicas, provider, accounts, pause=0.05):
        self.history, self.draw, self.replicas, self.provider = history, draw, replicas, provider
        self.accounts, self.pause = list(accounts), pause
        self.enrolled = set()
        self.left = set()
        self.numbers = itertools.count(1)
        self.over = False

    # Requests

    async def client(self):
        while not self.over:
            account = self.draw.choice(self.accounts + sorted(self.enrolled))
            if self.draw.random() < 0.1:
                # Many at once, everywhere: they all find a token that is over.
                asked = [one for one in self.replicas for _ in range(2)]
            else:
                asked = [self.draw.choice(self.replicas)]
            await self.wait({asyncio.create_task(self.request(one, account)) for one in asked})
            await asyncio.sleep(self.draw.uniform(0, 2 * self.pause))
        await asyncio.gather(*self.left)

    async def wait(self, requests):
        done, waiting = await asyncio.wait(requests, timeout=TIMEOUT if len(self.left) < LEFT else None)
        self.left = {one for one in self.left if not one.done()} | waiting
        for one in done:
            one.result()

    async def request(self, replica, account):
        """Its status; None when there is no answer."""
        number = next(self.numbers)
        self.history.add("request", request=number, account=account, replica=replica.name)
        facts = {"request": number, "account": account, "replica": replica.name, "status": None}
        try:
            async with asyncio.timeout(LIMIT):
                fields = [("Paraph-Account", account)]
                answer = await ask(replica.port, "GET", f"http://{HOST}/x", fields, host=HOST)
            facts |= {"status": answer.status}
            if answer.status == 200:
                facts |= {"serial": answer.json["serial"], "signed_as": answer.json["account"]}
            else:
                facts |= {"reason": str(answer.json.get("detail", ""))[:160]}
        except ConnectionRefusedError:
            facts |= {"reason": "nobody listens"}
        except TimeoutError:
            facts |= {"reason": "no answer in time"}
        except OSError:
            facts |= {"reason": "closed without an answer"}
        self.history.add("answer", **facts)
        return facts["status"]

    # Enrolment

    async def enroller(self, names):
        """Enrols and removes the accounts of `names`, which are nobody else's, one after the other."""
        for name in names:
            self.provider.new_account(name)
        while not self.over:
            name = self.draw.choice(names)
            if name in self.enrolled and self.draw.random() < 0.5:
                await self.administer("remove", name)
            else:
                await self.administer("enrol", name)
            await asyncio.sleep(self.draw.uniform(0, 20 * self.pause))

    async def administer(self, operation, name):
        replica = self.draw.choice(self.replicas)
        facts = {"operation": operation, "account": name, "replica": replica.name}
        self.history.add("operation", **facts)
        claim = {"access_type": "0", "passkey": name, "passcode": self.provider.accounts[name].password}
        try:
            async with asyncio.timeout(LIMIT):
                if operation == "enrol":
                    kind = [("Content-Type", "application/x-www-form-urlencoded")]
                    body = urlencode(claim).encode()
                    answer = await ask(replica.admin_port, "POST", "/register", kind, body)
                else:
                    answer = await ask(replica.admin_port, "DELETE", f"/accounts/{API}/{name}")
        except (OSError, TimeoutError):
            # It may have been done, or not, or be done yet.
            self.enrolled.discard(name)
            self.history.add("operation ended", **facts, status=None)
            return
        reason = {} if answer.status < 300 else {"reason": answer.body.decode("utf-8", "replace")[:160]}
        self.history.add("operation ended", **facts, status=answer.status, **reason)
        if answer.status in (200, 201) and operation == "enrol":
            self.enrolled.add(name)
        else:
            self.enrolled.discard(name)

    # The end

    async def ask_everywhere(self):
        """Each account through each replica, until it is served or has had all the time that it needs."""
        for account in self.accounts + sorted(self.enrolled):
            await asyncio.gather(*(self.until_served(one, account) for one in self.replicas))

    async def until_served(self, replica, account):
        deadline = time.monotonic() + LIMIT
        while await self.request(replica, account) != 200 and time.monotonic() < deadline:
            await asyncio.sleep(0.2)

    async def list_accounts(self):
        for replica in self.replicas:
            async with asyncio.timeout(LIMIT):
                answer = await ask(replica.admin_port, "GET", "/accounts")
            listed = [one["account"] for one in answer.json.get("accounts", []) if one["api"] == API]
            self.history.add("listing", replica=replica.name, status=answer.status, accounts=sorted(listed))

"""Finds in a history what must not come of anything that is done to a fleet. A pure function of the history.

    python3 -m harness.fleet.checker HISTORY

An excuse is as small as it can be: a replica that was stopped or cut off from the store is not blamed for what it
could not know in that time, and the second that it has begins anew with nothing but what it has left.
"""

import sys
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass

from .circumstances import FOREVER, Circumstances
from .history import read

# In seconds, of a replica's own time: for what another replica has stored, and for any answer. One who waits for
# another's exchange waits for the end of that one's lease.
FRESH, ANSWERED = 1, 30
# As long an operation without an answer may have its effect yet: what is on its way in a cut cable arrives later.
DOUBT = 15

TWICE = "refresh token sent twice"
LOST = "account lost"
STALE = "older token used"
UNANSWERED = "request without an answer"
AT_ONCE = "exchanges at the same time"
RULES = (TWICE, LOST, STALE, UNANSWERED, AT_ONCE)


@dataclass(frozen=True)
class Violation:
    rule: str
    at: float
    account: str
    sentence: str

    def __str__(self):
        return f"{self.at:.3f} s, {self.account}: {self.rule}: {self.sentence}"


def check(events):
    """All violations, in the order of their times, which count from the first event."""
    if not events:
        return []
    history = Indexed(events)
    found = [*sent_twice(history), *lost(history), *stale(history), *unanswered(history), *at_once(history)]
    start = events[0]["t"]
    return sorted(
        (Violation(rule, t - start, account, sentence) for rule, t, account, sentence in found), key=lambda v: v.at
    )


class Indexed:
    def __init__(self, events):
        self.events = events
        self.circumstances = Circumstances(events)
        self.end = events[-1]["t"]

    def all(self, *kinds):
        return [one for one in self.events if one["event"] in kinds]

    def pairs(self, first, second, member):
        """Each event of the first kind with that of the second that has the same value there, or None."""
        ends = {one[member]: one for one in self.all(second)}
        return [(one, ends.get(one[member])) for one in self.all(first)]

    def operations(self):
        """Each operation with its end. An account has one at a time."""
        begun = {}
        for one in self.all("operation", "operation ended"):
            if one["event"] == "operation":
                begun[one["account"]] = one
            else:
                yield begun.pop(one["account"]), one
        yield from ((one, None) for one in begun.values())


def sent_twice(history):
    first = {}
    for one in history.all("exchange"):
        if (serial := one["refresh"]) is None:
            continue
        if serial in first:
            yield TWICE, one["t"], one["account"], (
                f"{one['replica']} sends refresh token {serial}, which {first[serial]['replica']} has sent"
                f" {one['t'] - first[serial]['t']:.3f} s before"
            )
        first.setdefault(serial, one)


def at_once(history):
    """Only what may be repeated, and only from a replica that is without the store, may run beside another exchange."""
    enrolments = [(begun, ended["t"] if ended else FOREVER) for begun, ended in history.operations()]

    def may_be(one, end):
        if one["grant"] != "password":
            return False
        # A claim is verified by a grant, whatever else is going on.
        claimed = any(
            (begun["account"], begun["replica"]) == (one["account"], one["replica"]) and begun["t"] <= one["t"] <= last
            for begun, last in enrolments
        )
        return claimed or history.circumstances.is_away(one["replica"], one["t"], end)

    running = defaultdict(list)
    for one, ended in history.pairs("exchange", "exchange ended", "exchange"):
        end = ended["t"] if ended else history.end
        others = running[one["account"]] = [
            (before, last) for before, last in running[one["account"]] if last > one["t"]
        ]
        if not may_be(one, end):
            for before, last in others:
                if not may_be(before, last):
                    yield AT_ONCE, one["t"], one["account"], (
                        f"{one['replica']} begins one by {one['grant']}, and that of {before['replica']} by"
                        f" {before['grant']} has run for {one['t'] - before['t']:.3f} s"
                    )
        others.append((one, end))


def known_since(history):
    """By serial number, the time from which on it is certain that a token is stored: a client was answered by it, and
    the replica that has it was not without the store since it began to ask for it; or another replica has it."""
    circumstances = history.circumstances
    begun_at = {one["exchange"]: one["t"] for one in history.all("exchange")}
    issued = {one["serial"]: one for one in history.all("issued")}
    known = {}
    for one in history.all("use", "answer"):
        serial = one.get("serial")
        if serial not in issued:
            continue
        origin = issued[serial]
        if one["replica"] != origin["replica"] or (
            one["event"] == "answer" and circumstances.is_well(one["replica"], begun_at[origin["exchange"]], one["t"])
        ):
            known.setdefault(serial, one["t"])
    for begun, ended in history.operations():
        if begun["operation"] == "enrol" and ended and ended["status"] == 201:
            # By a grant of its own. What an exchange that began before brought may be of the account that was removed.
            own = [
                serial
                for serial, one in issued.items()
                if (one["account"], one["replica"]) == (begun["account"], begun["replica"])
                and begun["t"] <= begun_at[one["exchange"]]
                and one["t"] <= ended["t"]
            ]
            # Of several it is certain of none that it is this one; none is older than the first.
            if own:
                serial = min(own)
                known[serial] = min(known.get(serial, FOREVER), ended["t"])
    return issued, known


def stale(history):
    issued, known = known_since(history)
    serials = defaultdict(list)
    for serial in sorted(known):
        serials[issued[serial]["account"]].append(serial)
    # Of each and those after it, which has been known for longest.
    first = {}
    for account, own in serials.items():
        best = None
        for serial in reversed(own):
            best = serial if best is None or known[serial] <= known[best] else best
            first[serial] = best
    # Whoever refreshes an older token has read it from the store, where a late write must have put it.
    for one in history.all("use", "exchange"):
        serial, does = (one["serial"], "signs with") if one["event"] == "use" else (one["refresh"], "refreshes")
        own = serials[one["account"]]
        later = len(own) if serial is None else bisect_right(own, serial)
        if later == len(own):
            continue
        newer = first[own[later]]
        if one["t"] - known[newer] <= FRESH:
            continue
        seconds = history.circumstances.attentive(one["replica"], known[newer], one["t"])
        if seconds > FRESH:
            yield STALE, one["t"], one["account"], (
                f"{one['replica']} {does} token {serial}, and could know {newer} for {seconds:.3f} s"
            )


def unanswered(history):
    circumstances, settled = history.circumstances, None
    for one in history.all("settled"):
        settled = one["t"]
    served, asked = set(), {}
    for one, answer in history.pairs("request", "answer", "request"):
        t, replica, account = one["t"], one["replica"], one["account"]
        if settled is not None and t >= settled:
            asked.setdefault((account, replica), t)
            if answer and answer["status"] == 200:
                served.add((account, replica))
        end = answer["t"] if answer else history.end
        seconds = circumstances.running(replica, t, end)
        if answer is None:
            yield UNANSWERED, t, account, f"{replica} has not answered in the {seconds:.3f} s of its time until the end"
        elif seconds > ANSWERED:
            yield UNANSWERED, t, account, f"{replica} took {seconds:.3f} s of its time"
        elif answer["status"] is None and not circumstances.was_gone(replica, t, end):
            yield UNANSWERED, t, account, f"{replica}, which nobody has ended: {answer.get('reason')}"
    for (account, replica), t in asked.items():
        if (account, replica) not in served:
            yield UNANSWERED, t, account, f"{replica} does not serve it after all was well again"


def lost(history):
    """An account is there from the answer that says so until somebody begins to remove it, and the other way around."""
    states = defaultdict(list)
    doubt = defaultdict(float)
    for begun, ended in history.operations():
        account, enrols = begun["account"], begun["operation"] == "enrol"
        since, is_there = states[account][-1] if states[account] else (begun["t"], False)
        # Neither is there anything to create, nor is it for want of an account that it cannot be removed.
        if is_there and ended and ended["status"] == (201 if enrols else 404):
            if history.circumstances.attentive(begun["replica"], since, begun["t"]) > FRESH:
                done = "creates it again" if enrols else "has none to remove"
                yield LOST, ended["t"], account, f"{begun['replica']} {done}"
        if is_there is enrols and states[account]:
            # It can only stay as it is.
            continue
        states[account].append((begun["t"], None))
        if ended is None:
            continue
        if ended["status"] not in ((200, 201) if enrols else (200, 204, 404)):
            doubt[account, enrols] = ended["t"] + DOUBT
        elif ended["t"] >= doubt[account, not enrols]:
            states[account].append((ended["t"], enrols))

    def state(account, t):
        """Since when it is so, and whether the account is there; None: nobody knows."""
        return next((one for one in reversed(states[account]) if one[0] <= t), (t, None))

    answers = {one["request"]: one for one in history.all("answer")}
    for one in history.all("request"):
        answer, account = answers.get(one["request"]), one["account"]
        if not answer or answer["status"] != 403:
            continue
        since, is_there = state(account, answer["t"]) if account in states else (history.events[0]["t"], True)
        if is_there and since < one["t"] and history.circumstances.attentive(one["replica"], since, one["t"]) > FRESH:
            yield LOST, one["t"], account, f"{one['replica']} refuses it: {answer.get('reason')}"
    for one in history.all("listing"):
        for account in list(states):
            since, is_there = state(account, one["t"])
            if history.circumstances.attentive(one["replica"], since, one["t"]) <= FRESH:
                continue
            if is_there and account not in one["accounts"]:
                yield LOST, one["t"], account, f"{one['replica']} does not list it"
            if is_there is False and account in one["accounts"]:
                yield LOST, one["t"], account, f"{one['replica']} lists it, and it was removed"


def main():
    found = check(read(sys.argv[1]))
    for one in found:
        print(one)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

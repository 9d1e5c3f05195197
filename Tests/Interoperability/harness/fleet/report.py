"""Counts of a history, for people."""

import statistics
from collections import Counter, defaultdict

from .circumstances import Circumstances


def all_of(events, kind):
    return [one for one in events if one["event"] == kind]


def counted(values):
    return ", ".join(f"{count} {name}" for name, count in Counter(values).most_common())


def takeovers(events):
    """Of each exchange whose replica was killed meanwhile, so that the provider could not answer it, the seconds until
    another replica began one for the account."""
    circumstances = Circumstances(events)
    exchanges = defaultdict(list)
    for one in all_of(events, "exchange"):
        exchanges[one["account"]].append(one)
    for one in all_of(events, "exchange ended"):
        own = exchanges[one["account"]]
        begun = next(index for index, other in enumerate(own) if other["exchange"] == one["exchange"])
        died = circumstances.was_gone(one["replica"], own[begun]["t"], one["t"])
        following = own[begun + 1] if begun + 1 < len(own) else one
        if one["outcome"] == "abandoned" and died and following["replica"] != one["replica"]:
            yield following["t"] - one["t"]


def handovers(events):
    """How many exchanges another replica than the account's exchange before has done."""
    last, count = {}, 0
    for one in all_of(events, "exchange"):
        count += last.get(one["account"], one["replica"]) != one["replica"]
        last[one["account"]] = one["replica"]
    return count


def early(events):
    """How many exchanges began less than a second after another replica's was answered, whose token was as good as new.
    """
    issued = {one["exchange"]: one for one in all_of(events, "issued")}
    last, count = {}, 0
    for one in events:
        if one["event"] == "exchange ended" and one["outcome"] == "answered" and one["exchange"] in issued:
            last[one["account"]] = one
        elif one["event"] == "exchange" and (before := last.get(one["account"])):
            count += before["replica"] != one["replica"] and one["t"] - before["t"] < 1
    return count


def report(events, violations):
    """Lines."""
    answers, exchanges = all_of(events, "answer"), all_of(events, "exchange")
    seconds = events[-1]["t"] - events[0]["t"]
    issued = all_of(events, "issued")
    used = {one["serial"] for one in all_of(events, "use")}
    operations = all_of(events, "operation ended")
    waits = list(takeovers(events))
    yield f"{len(exchanges)} exchanges in {seconds:.0f} s: {counted(one['grant'] for one in exchanges)};" + (
        f" {counted(one['outcome'] for one in all_of(events, 'exchange ended'))}"
    )
    yield f"{len(issued)} tokens issued, {len(used)} of them used" + (
        f"; {len(answers) / max(1, len(exchanges)):.1f} requests for an exchange"
    )
    yield f"{early(events)} exchanges within a second after another replica's"
    yield f"{handovers(events)} by another replica than the one before, {len(waits)} taken over from the dead" + (
        f", after {statistics.median(waits):.1f} s (median), {max(waits):.1f} s (longest)" if waits else ""
    )
    yield f"{len(answers)} requests: " + counted(str(one["status"] or one.get("reason")) for one in answers)
    yield f"{len(operations)} enrolments and removals: " + counted(
        f"{one['operation']} {one['status'] or 'without an answer'}" for one in operations
    )
    yield f"{len(all_of(events, 'logged out'))} accounts logged out by the provider"
    yield "faults: " + counted(one["kind"] for one in all_of(events, "fault"))
    yield f"{len(violations)} violations" + (
        ": " + counted(one.rule for one in violations) if violations else ""
    )

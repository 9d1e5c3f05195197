"""When a replica could not know what the others did, by a history: what excuses it, and for how long."""

from collections import defaultdict

# In seconds: what the store and its clients have for finding each other again, once all is well.
SETTLING = 3
FOREVER = float("inf")


class Spans:
    """Stretches of time, of which some may lie in others."""

    def __init__(self, spans=()):
        self.merged = []
        for begin, end in sorted(spans):
            if self.merged and begin <= self.merged[-1][1]:
                self.merged[-1] = (self.merged[-1][0], max(end, self.merged[-1][1]))
            else:
                self.merged.append((begin, end))

    def __or__(self, other):
        return Spans([*self.merged, *other.merged])

    def seconds_of(self, begin, end):
        """How much of the time between the two lies in them."""
        return sum(max(0, min(end, last) - max(begin, first)) for first, last in self.merged)

    def touch(self, begin, end):
        return any(first <= end and begin <= last for first, last in self.merged)


class Circumstances:
    def __init__(self, events):
        absent, gone, disturbed, away = (defaultdict(Changes) for _ in range(4))
        standstills = []
        for one in events:
            if one["event"] == "process":
                absent[one["name"]].take(one["t"], one["state"] in ("killed", "stopped"))
                gone[one["name"]].take(one["t"], one["state"] in ("leaving", "killed"))
            elif one["event"] == "store":
                begin, name, state = one.get("since", one["t"]), one["replica"], one["state"]
                disturbed[name].take(begin if state != "well" else one["t"], state != "well")
                away[name].take(begin if state == "away" else one["t"], state == "away")
            elif one["event"] == "standstill":
                standstills.append((one["since"], one["t"]))
        self.standstills = Spans(standstills)
        self.absent = {name: changes.spans() for name, changes in absent.items()}
        self.gone = {name: changes.spans() for name, changes in gone.items()}
        self.disturbed = {name: changes.spans(SETTLING) for name, changes in disturbed.items()}
        self.away = {name: changes.spans(SETTLING) for name, changes in away.items()}

    def running(self, replica, begin, end):
        """The seconds between the two in which the replica could work."""
        return end - begin - (self.absent.get(replica, Spans()) | self.standstills).seconds_of(begin, end)

    def attentive(self, replica, begin, end):
        """Those in which it could also see what the others write."""
        excused = self.absent.get(replica, Spans()) | self.disturbed.get(replica, Spans()) | self.standstills
        return end - begin - excused.seconds_of(begin, end)

    def is_well(self, replica, begin, end):
        """Whether nothing stood between the replica and the store all that time."""
        return not self.disturbed.get(replica, Spans()).touch(begin, end)

    def is_away(self, replica, begin, end):
        """Whether the replica may have been without the store at any time of it."""
        return self.away.get(replica, Spans()).touch(begin, end)

    def was_gone(self, replica, begin, end):
        """Whether it was killed, or asked to end, or not there at any time of it, give or take what a look costs."""
        return self.gone.get(replica, Spans()).touch(begin - 0.1, end + 0.1)


class Changes:
    """When something began and ended."""

    def __init__(self):
        self.begun, self.found = None, []

    def take(self, t, is_so):
        if is_so and self.begun is None:
            self.begun = t
        elif not is_so and self.begun is not None:
            self.found.append((self.begun, t))
            self.begun = None

    def spans(self, longer=0):
        last = [(self.begun, FOREVER)] if self.begun is not None else []
        return Spans([(begin, end + longer) for begin, end in self.found] + last)

"""The checker of a fleet's histories: it finds what comes of each lesson that is not heeded, and nothing else."""

import pytest

from harness.fleet.checker import AT_ONCE, LOST, STALE, TWICE, UNANSWERED, check
from harness.fleet.circumstances import SETTLING
from harness.fleet.history import History, read


class Story:
    """Makes a history. One account, unless another is named; times may be told in any order."""

    def __init__(self):
        self.events, self.number = [], 0

    def add(self, t, event, **facts):
        self.events.append({"t": t, "event": event, **facts})
        return self

    def next(self):
        self.number += 1
        return self.number

    def exchange(self, begin, end, replica, serial=None, refresh=None, outcome="answered", account="a"):
        """By a refresh token, or else by the password."""
        facts = {"exchange": self.next(), "account": account, "replica": replica}
        self.add(begin, "exchange", **facts, grant="refresh_token" if refresh else "password", refresh=refresh)
        if serial:
            self.add(end, "issued", **facts, serial=serial)
        return self.add(end, "exchange ended", **facts, outcome=outcome)

    def request(self, begin, end, replica, serial=None, status=200, account="a", **more):
        """One that is signed with a token, or that the replica answers itself."""
        facts = {"request": self.next(), "account": account, "replica": replica}
        self.add(begin, "request", **facts)
        if serial:
            self.add(begin, "use", account=account, serial=serial, replica=replica, accepted=True)
            more["serial"] = serial
        return self.add(end, "answer", **facts, status=status, **more) if end else self

    def operation(self, begin, end, kind, replica, status, account="b"):
        facts = {"operation": kind, "account": account, "replica": replica}
        self.add(begin, "operation", **facts)
        return self.add(end, "operation ended", **facts, status=status)

    def stopped(self, begin, end, replica):
        self.add(begin, "process", name=replica, state="stopped")
        return self.add(end, "process", name=replica, state="running")

    def killed(self, begin, end, replica):
        self.add(begin, "process", name=replica, state="killed")
        return self.add(end, "process", name=replica, state="running")

    def store(self, begin, end, replica, state="away"):
        self.add(begin, "store", replica=replica, state=state, since=begin)
        return self.add(end, "store", replica=replica, state="well", since=end)

    def found(self):
        events = sorted(self.events, key=lambda one: one["t"])
        return [one.rule for one in check([{"t": 0, "event": "beginning"}, *events])]


@pytest.fixture
def story():
    return Story()


def good(story):
    """Two replicas that do all as they ought to, through a death, a stop and an absence of the store."""
    story.exchange(1, 1.2, "one", serial=1).request(1, 1.3, "one", serial=1).request(2, 2.1, "two", serial=1)
    story.exchange(4, 4.2, "two", serial=2, refresh=1).request(4, 4.3, "two", serial=2).request(5, 5.1, "one", serial=1)
    # It dies in an exchange. What it has sent is not sent again.
    story.exchange(7, 7.5, "one", refresh=2, outcome="abandoned").killed(7.5, 9, "one")
    story.request(7, 7.5, "one", status=None, reason="closed without an answer")
    story.exchange(9.5, 9.6, "two", serial=3).request(8, 9.7, "two", serial=3)
    # It is stopped, and does not know the newest token for a moment after that.
    story.stopped(10, 15, "two").exchange(12, 12.1, "one", serial=4, refresh=3).request(12, 12.2, "one", serial=4)
    story.request(15.1, 15.2, "two", serial=3).request(15.9, 16, "two", serial=4)
    # Without the store each does for itself what may be repeated.
    story.store(20, 25, "one").store(20, 25, "two")
    story.exchange(21, 21.5, "one", serial=5).request(21, 21.6, "one", serial=5)
    story.exchange(21.2, 21.6, "two", serial=6).request(21.2, 21.7, "two", serial=6)
    story.request(24, 24.1, "one", serial=5).request(26, 26.1, "one", serial=5).request(30, 30.1, "one", serial=6)
    # Somebody is enrolled, and used where it was not, and removed.
    story.exchange(31, 31.1, "one", serial=7, account="b").operation(30.9, 31.2, "enrol", "one", 201)
    story.request(31.3, 31.4, "two", status=403, account="b", reason="not yet")
    story.request(33, 33.1, "two", serial=7, account="b").add(34, "listing", replica="two", accounts=["b"])
    story.operation(35, 35.1, "remove", "two", 204).request(35.1, 35.2, "one", status=403, account="b")
    return story.request(40, 40.1, "two", serial=6).add(41, "listing", replica="one", accounts=[])


def test_nothing_is_found_where_nothing_is_wrong(story):
    good(story).add(59, "settled").request(60, 60.1, "one", serial=6).request(60, 60.1, "two", status=503)
    assert story.request(61, 61.1, "two", serial=6).found() == []


def lock_shorter_than_the_work(story):
    story.exchange(50, 50.8, "one", serial=8, refresh=6).exchange(50.4, 50.6, "two", serial=9)


def no_fence(story):
    """It was stopped past its lease, and then puts its token over the newer one."""
    story.exchange(50, 50.1, "one", serial=8, refresh=6).stopped(50.1, 56, "one")
    story.exchange(54, 54.1, "two", serial=9).request(54, 54.2, "two", serial=9)
    story.request(50, 56.1, "one", serial=8).request(58, 58.1, "two", serial=8)


def not_read_again(story):
    """It has waited for the lock, and sends what it knew before."""
    story.exchange(50, 50.3, "one", serial=8, refresh=6)
    story.exchange(50.4, 50.5, "two", refresh=6, outcome="refused").add(50.5, "logged out", account="a")


def intent_not_noted(story):
    """It dies between the answer and the write."""
    story.exchange(50, 50.2, "one", serial=8, refresh=6).killed(50.2, 52, "one")
    story.exchange(52.5, 52.6, "two", refresh=6, outcome="refused").add(52.6, "logged out", account="a")


def unlocks_what_is_not_its_own(story):
    story.stopped(50, 53, "one").exchange(53, 53.6, "two", serial=8)
    story.exchange(53.2, 53.3, "three", serial=9, refresh=6)


def by_the_wall_clock(story):
    """One whose clock is ahead takes the lease for over, and one whose clock is behind takes an old token for new."""
    story.exchange(50, 50.5, "one", serial=8, refresh=6).exchange(50.1, 50.2, "ahead", serial=9)
    story.request(50.1, 50.3, "ahead", serial=9).request(52, 52.1, "behind", serial=8)


def absence_taken_for_a_lock(story):
    story.store(50, 90, "one").request(50, None, "one").request(99, 99.1, "two", serial=6)


def absence_taken_for_freedom(story):
    """What may be used once is sent without the store."""
    story.store(50, 53, "one").exchange(51, 51.5, "one", serial=8, refresh=6)
    story.exchange(51.1, 51.2, "two", refresh=6, outcome="refused")


def loser_deletes_the_winners(story):
    story.exchange(49.8, 49.9, "one", serial=8, account="b").operation(49.7, 50, "enrol", "one", 201)
    story.exchange(53, 53.2, "two", serial=9, refresh=8, account="b").request(53, 53.3, "two", serial=9, account="b")
    story.request(56, 56.1, "one", status=403, account="b").add(60, "listing", replica="two", accounts=[])


LESSONS = {
    "1 a lock shorter than the work": (lock_shorter_than_the_work, {AT_ONCE}),
    "2 a lock without a fence": (no_fence, {STALE}),
    "3 not read again under the lock": (not_read_again, {TWICE}),
    "4 no note of the intent": (intent_not_noted, {TWICE}),
    "5 another's lock is undone": (unlocks_what_is_not_its_own, {AT_ONCE}),
    "6 wall clocks are compared": (by_the_wall_clock, {AT_ONCE, STALE}),
    "7 an absent store is a held lock": (absence_taken_for_a_lock, {UNANSWERED}),
    "7 an absent store is a free lock": (absence_taken_for_freedom, {AT_ONCE, TWICE}),
    "8 a loser deletes the winner's": (loser_deletes_the_winners, {LOST}),
}


@pytest.mark.parametrize("title", LESSONS)
def test_a_lesson_that_is_not_heeded_is_found(story, title):
    broken, rules = LESSONS[title]
    broken(good(story))
    assert set(story.found()) == rules


# What excuses, and what does not


def test_a_replica_has_a_second_of_its_own_time_for_the_newest_token(story):
    story.exchange(1, 1.1, "one", serial=1).exchange(5, 5.1, "one", serial=2, refresh=1)
    story.request(5, 5.2, "one", serial=2).request(6.1, 6.3, "two", serial=1)
    assert story.found() == []
    story.stopped(6.15, 9, "two").request(9.01, 9.1, "two", serial=1)
    assert story.found() == []
    story.request(9.1, 9.2, "two", serial=1)
    assert story.found() == [STALE]


@pytest.mark.parametrize("state", ["away", "disturbed"])
def test_a_replica_knows_nothing_of_the_others_without_the_store(story, state):
    story.store(4, 9, "two", state).exchange(1, 1.1, "one", serial=1).exchange(5, 5.1, "one", serial=2, refresh=1)
    story.request(5, 5.2, "one", serial=2).request(8, 8.1, "two", serial=1).request(9.5 + SETTLING, 13, "two", serial=1)
    assert story.found() == []
    story.request(11.1 + SETTLING, 15, "two", serial=1)
    assert story.found() == [STALE]


def test_a_token_that_nobody_has_been_answered_by_need_not_be_known(story):
    story.exchange(1, 1.1, "one", serial=1).exchange(5, 5.1, "one", serial=2, refresh=1, outcome="dropped")
    assert story.request(9, 9.1, "two", serial=1).found() == []


def test_a_token_that_another_replica_has_is_stored(story):
    story.store(2, 7, "one").exchange(1, 1.1, "one", serial=1).exchange(5, 5.1, "one", serial=2)
    story.request(5, 5.2, "one", serial=2).request(13, 13.1, "two", serial=1)
    assert story.found() == []
    story.request(11, 11.1, "three", serial=2)
    assert story.found() == [STALE]


def test_a_token_that_was_asked_for_without_the_store_need_not_be_stored(story):
    story.store(4, 5, "one").exchange(1, 1.1, "one", serial=1).exchange(7, 9.1, "one", serial=2)
    story.request(6.9, 9.2, "one", serial=2).request(13, 13.1, "two", serial=1)
    assert story.found() == []


def test_an_older_token_is_not_refreshed(story):
    story.exchange(1, 1.1, "one", serial=1).exchange(5, 5.1, "one", serial=2).request(5, 5.2, "one", serial=2)
    story.exchange(6.1, 6.2, "two", serial=3, refresh=1)
    assert story.found() == []
    story.exchange(6.3, 6.4, "three", serial=4, refresh=3)
    assert story.found() == []
    story.exchange(8, 8.1, "two", serial=5, refresh=2)
    assert story.found() == []
    story.request(8, 8.2, "two", serial=5).exchange(12, 12.1, "two", serial=6, refresh=4)
    assert story.found() == [STALE]


def test_an_enrolled_token_is_known_when_that_is_told(story):
    story.exchange(1, 1.1, "one", serial=1, account="b").exchange(5, 5.1, "one", serial=2, account="b")
    story.operation(4.9, 5.2, "enrol", "one", 201).request(7, 7.1, "two", serial=1, account="b")
    assert story.found() == [STALE]


def test_an_exchange_from_before_an_enrolment_is_not_what_it_was_verified_by(story):
    story.exchange(1, 5.1, "one", serial=3, refresh=1, account="b").exchange(5, 5.05, "one", serial=2, account="b")
    story.operation(4.9, 5.2, "enrol", "one", 201).request(7, 7.1, "two", serial=2, account="b")
    assert story.found() == []


@pytest.mark.parametrize("refresh", [None, 1])
@pytest.mark.parametrize("away", [False, True])
def test_only_what_may_be_repeated_runs_beside_another_exchange(story, refresh, away):
    if away:
        story.store(1, 9, "two")
    story.exchange(5, 5.5, "one", serial=2, refresh=3).exchange(5.1, 5.4, "two", serial=4, refresh=refresh)
    assert story.found() == ([] if away and not refresh else [AT_ONCE])


def test_a_claim_is_verified_beside_an_exchange(story):
    story.exchange(5, 5.5, "one", serial=2, refresh=1, account="b").exchange(5.1, 5.4, "two", serial=3, account="b")
    assert story.found() == [AT_ONCE]
    assert story.operation(5, 5.5, "enrol", "two", 200).found() == []


def test_a_refresh_token_is_not_sent_twice_by_one_replica_either(story):
    story.exchange(1, 1.1, "one", refresh=1, outcome="dropped").exchange(2, 2.1, "one", serial=2, refresh=1)
    assert story.found() == [TWICE]


@pytest.mark.parametrize("ended", [False, True])
def test_a_request_is_closed_without_an_answer_only_by_who_was_ended(story, ended):
    story.request(5, 5.2, "one", status=None, reason="closed without an answer")
    if ended:
        story.killed(5.2, 6, "one")
    assert story.found() == ([] if ended else [UNANSWERED])


def test_a_stopped_replica_has_its_time_for_an_answer(story):
    story.stopped(5, 30, "one").request(4, 31, "one", status=503)
    assert story.found() == []
    assert story.request(30, 61, "one", status=503).found() == [UNANSWERED]


def test_everybody_is_served_in_the_end(story):
    story.add(5, "settled").request(6, 6.1, "one", status=502)
    assert story.found() == [UNANSWERED]
    assert story.request(7, 7.1, "one", serial=1).found() == []


def test_an_account_of_the_configuration_is_always_there(story):
    assert story.request(5, 5.1, "one", status=403).found() == [LOST]


def test_an_account_of_which_nobody_knows_may_be_there_or_not(story):
    story.operation(1, 2, "enrol", "one", 201).operation(5, 6, "remove", "one", None)
    story.add(9, "listing", replica="one", accounts=[]).add(10, "listing", replica="two", accounts=["b"])
    story.operation(11, 12, "enrol", "two", 200).add(14, "listing", replica="one", accounts=[])
    assert story.found() == []
    story.operation(30, 31, "enrol", "two", 200).add(33, "listing", replica="one", accounts=[])
    assert story.found() == [LOST]


@pytest.mark.parametrize("kind, status", [("enrol", 201), ("remove", 404)])
def test_an_account_that_is_there_is_neither_created_nor_missing(story, kind, status):
    story.operation(1, 2, "enrol", "one", 201).operation(3, 3.1, "enrol", "two", 200)
    assert story.found() == []
    assert story.operation(4, 4.1, kind, "two", status).found() == [LOST]


def test_a_removed_account_does_not_come_back(story):
    story.operation(1, 2, "enrol", "one", 201).operation(5, 6, "remove", "one", 204)
    assert story.add(9, "listing", replica="two", accounts=["b"]).found() == [LOST]


def test_nothing_is_asked_of_anybody_while_the_one_who_looks_stands_still(story):
    story.exchange(1, 1.1, "one", serial=1).exchange(5, 5.1, "one", serial=2, refresh=1)
    story.request(5, 5.2, "one", serial=2).request(9, 9.1, "two", serial=1)
    assert story.found() == [STALE]
    assert story.add(9, "standstill", since=5.3).found() == []


def test_a_history_is_read_as_it_was_written(tmp_path):
    history = History(tmp_path / "history")
    history.add("process", name="one", state="running")
    history.close()
    assert read(tmp_path / "history") == history.events

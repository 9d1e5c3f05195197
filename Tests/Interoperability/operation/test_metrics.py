"""Metrics as Prometheus's own tools take them: promtool reads what a proxy with traffic exports, the rules and the
dashboard name only what there is, and Prometheus itself scrapes a proxy and answers. Debian's package `prometheus`."""

import datetime
import json
import re
import shutil
import subprocess
import urllib.parse
import urllib.request
from contextlib import contextmanager

import pytest
import yaml

from harness.certificates import public_key_pin
from harness.container import ROOT
from harness.output import Output
from harness.password_grant import PasswordGrant
from harness.ports import held_port
from harness.raw import ask
from harness.waiting import LIMIT, wait_until

RULES = ROOT / "config" / "prometheus" / "rules.yaml"
SCRAPING = ROOT / "config" / "prometheus" / "prometheus.yaml"
DASHBOARD = ROOT / "config" / "grafana" / "paraph.json"
DOCUMENT = ROOT / "docs" / "metrics.md"
# All that has a meaning in a label's value, or could have.
ODD = 'od"d\\n{a="b"} é,'
# Pins are good to the end of the day.
DAY_AFTER = datetime.datetime(2031, 2, 4, tzinfo=datetime.timezone.utc).timestamp()
OTHER_PIN = "sha256/" + "A" * 42 + "8="


def tool(name):
    if not (found := shutil.which(name)):
        pytest.skip(f"there is no {name} (Debian: apt-get install prometheus)")
    return found


def promtool(*arguments, stdin=None):
    done = subprocess.run(
        [tool("promtool"), *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=LIMIT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


class Scene:
    """A proxy that has signed, exchanged, refused and repeated."""

    URL = "https://main.wild.test.example/metrics-test"

    def __init__(self, world, launch):
        self.world = world
        self.grant = PasswordGrant(world.provider)
        login = {"username": "alice", "password": self.grant.new_user("alice")}
        tokens = world.api(accounts={ODD: {"password": login}})
        tokens["oauth2"] = self.grant.settings(world)
        del tokens["oauth1"]
        pinning = {"mode": "public_key", "pins": [OTHER_PIN, public_key_pin(world.certificates.stranger.certificate)]}
        apis = {
            "main": world.api(["main.wild.test.example"]),
            "tokens": tokens,
            "pinned": world.api(
                ["pinned.wild.test.example"], tls={"pinning": {**pinning, "expires": "2031-02-03"}}
            ),
        }
        self.paraph = launch(world.configuration(apis, metrics={"accounts": "on"}))
        self.first = self.text
        for _ in range(3):
            ask(self.paraph, self.URL).verified()
        self.ask_with_token()
        self.grant.revoke_access_tokens()
        self.ask_with_token()
        assert ask(self.paraph, "https://pinned.wild.test.example/").status == 502

    def ask_with_token(self):
        # A field's bytes.
        fields = [("Paraph-Account", ODD.encode().decode("latin-1"))]
        answer = ask(self.paraph, f"{self.world.URL}{self.grant.resource}", fields=fields)
        assert answer.verified()["user"] == "alice"

    @property
    def text(self):
        status, body = self.paraph.admin("/metrics")
        assert status == 200
        return body.decode()

    @property
    def kinds(self):
        """Of each metric that is exported."""
        return dict(re.findall(r"^# TYPE (\S+) (\S+)$", self.text, re.M))


@pytest.fixture
def scene(world, launch):
    return Scene(world, launch)


def names(expression, kinds):
    """The metrics that an expression is about."""
    found = set(re.findall(r"\b(?:paraph|process)_\w+", expression))
    return {name if name in kinds else re.sub(r"_(bucket|sum|count)$", "", name) for name in found}


def rules():
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def dashboard_expressions():
    board = json.loads(DASHBOARD.read_text())
    found = [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]
    found += [one["expr"] for one in board["annotations"]["list"]]
    # As Grafana fills them in.
    for name, value in {"__rate_interval": "1m", "job": ".*", "instance": ".*", "api": ".*"}.items():
        found = [expression.replace(f"${name}", value) for expression in found]
    assert not [expression for expression in found if "$" in expression]
    return found


def dashboard_queries():
    """Of the variables."""
    board = json.loads(DASHBOARD.read_text())
    return [one["definition"] for one in board["templating"]["list"] if one["type"] == "query"]


def test_promtool_takes_what_is_exported(scene):
    assert promtool("check", "metrics", stdin=scene.text) == ""


def test_values_of_labels_are_escaped(scene):
    written = ODD.replace("\\", "\\\\").replace('"', '\\"')
    assert f'paraph_exchanges_total{{api="tokens",kind="password",account="{written}",result="ok"}}' in scene.text


def test_what_is_named_is_exported(scene):
    kinds = scene.kinds
    for expression in [rule["expr"] for rule in rules()] + dashboard_expressions() + dashboard_queries():
        assert names(expression, kinds) <= set(kinds), expression
    # Of what the rules and the dashboard are about nothing is absent, either.
    shown = set().union(*(names(expression, kinds) for expression in dashboard_expressions()))
    assert set(kinds) - shown <= {"process_virtual_memory_bytes"}


def test_every_metric_is_documented(scene):
    documented = set()
    for line in DOCUMENT.read_text().splitlines():
        if line.startswith("| `paraph_") or line.startswith("| `process_"):
            documented |= set(re.findall(r"`(\w+)`", line.split("|")[1]))
    assert documented == set(scene.kinds)


def documented_labels():
    """Of each metric."""
    found = {}
    for line in DOCUMENT.read_text().splitlines():
        cells = line.split("|")
        for name in re.findall(r"`((?:paraph|process)_\w+)`", cells[1]) if len(cells) == 5 else []:
            found[name] = set(re.findall(r"`(\w+)`", cells[2]))
    return found


def test_labels_are_documented(scene):
    documented = documented_labels()
    for name, labels in re.findall(r"^(\w+?)(?:_bucket|_sum|_count)?(?:{(.*)})? \S+$", scene.text, re.M):
        found = set(re.findall(r'(\w+)="(?:[^"\\]|\\.)*"', labels)) - {"le"}
        assert found - {"account"} == documented[name], name


def test_labels_that_are_asked_for_are_there():
    documented = documented_labels()
    for expression in [rule["expr"] for rule in rules()] + dashboard_expressions():
        asked = set()
        for name, labels in re.findall(r"\b((?:paraph|process)_\w+)(?:{([^}]*)})?", expression):
            known = documented.get(name) or documented.get(re.sub(r"_(bucket|sum|count)$", "", name), set())
            known = known | {"job", "instance", "le"}
            assert set(re.findall(r"(\w+)[=!]", labels)) <= known, expression
            asked |= known
        if "label_replace" not in expression:
            for grouped in re.findall(r"\b(?:by|on) \((.*?)\)", expression):
                assert set(grouped.split(", ")) <= asked, expression


def test_the_rules_are_good():
    promtool("check", "rules", RULES)
    promtool("check", "config", SCRAPING)
    for rule in rules():
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"].keys() == {"summary", "description"}


def series(name, values, /, **labels):
    written = ",".join(f'{k}="{v}"' for k, v in {"job": "paraph", "instance": "a", **labels}.items())
    return {"series": f"{name}{{{written}}}", "values": values}


DAY = 86400
# Alert → the series that bring it about, and its labels. Each is quiet with those of all others.
FIRING = {
    "ParaphDown": ([series("up", "0x60")], {}),
    "ParaphNotReady": ([series("paraph_ready", "0x60", part="vault")], {"part": "vault"}),
    "ParaphRefusesRequests": (
        [
            series("paraph_refusals_total", "0+1x60", api="a", reason="dns_error"),
            series("paraph_requests_total", "0+10x60", api="a", status="2xx"),
        ],
        {},
    ),
    "ParaphServerErrors": (
        [
            series("paraph_requests_total", "0+1x60", api="a", status="5xx"),
            series("paraph_requests_total", "0+10x60", api="a", status="2xx"),
        ],
        {"api": "a"},
    ),
    "ParaphSlow": (
        [
            series("paraph_first_byte_seconds_bucket", "0+9x60", api="a", le="5"),
            series("paraph_first_byte_seconds_bucket", "0+10x60", api="a", le="7.5"),
            series("paraph_first_byte_seconds_bucket", "0+10x60", api="a", le="+Inf"),
        ],
        {"api": "a"},
    ),
    "ParaphProviderRefuses": (
        [series("paraph_provider_refusals_total", "0+1x60", api="a", diagnosis="nonce_used")],
        {"api": "a", "diagnosis": "nonce_used"},
    ),
    "ParaphCertificateRefused": (
        [series("paraph_upstream_trust_decisions_total", "0+1x60", api="a", action="refuse", reason="expired")],
        {"api": "a", "reason": "expired"},
    ),
    "ParaphPinsReport": (
        [series("paraph_upstream_trust_decisions_total", "0+1x60", api="a", action="report", reason="no_pin_matched")],
        {"api": "a", "reason": "no_pin_matched"},
    ),
    "ParaphTokenExchangesFail": (
        [series("paraph_exchanges_total", "0+1x60", api="a", kind="xauth", result="exchange_refused")],
        {"api": "a", "kind": "xauth"},
    ),
    "ParaphTokenEnds": (
        [
            series("paraph_expiry_timestamp_seconds", "3900x60", what="token", name="a", account="b"),
            series("paraph_exchanges_total", "0+0.1x60", api="a", kind="xauth", result="exchange_refused"),
        ],
        {"api": "a", "name": "a"},
    ),
    "ParaphExpiresSoon": (
        [series("paraph_expiry_timestamp_seconds", f"{20 * DAY}x60", what="pins", name="a")],
        {"what": "pins", "name": "a"},
    ),
    "ParaphExpiresNow": (
        [series("paraph_expiry_timestamp_seconds", f"{2 * DAY}x60", what="authority", name="authority")],
        {"what": "authority", "name": "authority"},
    ),
    "ParaphClockOff": ([series("paraph_clock_offset_seconds", "-90x60", api="a")], {"api": "a"}),
    "ParaphLogDropped": ([series("paraph_log_dropped_total", "0+1x60")], {}),
    "ParaphReloadRefused": (
        [series("paraph_configuration_reloads_total", "0+1x60", outcome="refused")],
        {"outcome": "refused"},
    ),
    "ParaphVaultFails": (
        [series("paraph_vault_operations_total", "0+1x60", operation="load", result="failed")],
        {"operation": "load"},
    ),
    "ParaphEventLoopSlow": ([series("paraph_event_loop_delay_seconds", "0.2x60", loop="0")], {}),
    "ParaphConnectionsUsedUp": (
        [series("paraph_open_connections", "90x60"), series("paraph_open_connections_limit", "100x60")],
        {},
    ),
    "ParaphFilesUsedUp": ([series("process_open_fds", "90x60"), series("process_max_fds", "100x60")], {}),
}
# What a proxy that is well exports. No alert comes of it.
QUIET = [
    series("paraph_ready", "1x60", part="vault"),
    series("paraph_refusals_total", "0+1x60", api="a", reason="dns_error"),
    series("paraph_requests_total", "0+100x60", api="a", status="2xx"),
    series("paraph_requests_total", "0+1x60", api="a", status="5xx"),
    series("paraph_first_byte_seconds_bucket", "0+10x60", api="a", le="5"),
    series("paraph_first_byte_seconds_bucket", "0+10x60", api="a", le="+Inf"),
    series("paraph_provider_refusals_total", "3x60", api="a", diagnosis="nonce_used"),
    series("paraph_upstream_trust_decisions_total", "0+1x60", api="a", action="accept", reason="none"),
    series("paraph_exchanges_total", "0+1x60", api="a", kind="xauth", result="ok"),
    series("paraph_expiry_timestamp_seconds", "60x60", what="token", name="a"),
    series("paraph_expiry_timestamp_seconds", f"{40 * DAY}x60", what="authority", name="authority"),
    series("paraph_clock_offset_seconds", "2x60", api="a"),
    series("paraph_log_dropped_total", "5x60"),
    series("paraph_configuration_reloads_total", "0+1x60", outcome="applied"),
    series("paraph_vault_operations_total", "0+1x60", operation="load", result="ok"),
    series("paraph_event_loop_delay_seconds", "0.001x60", loop="0"),
    series("paraph_open_connections", "9x60"),
    series("paraph_open_connections_limit", "100x60"),
    series("process_open_fds", "9x60"),
    series("process_max_fds", "100x60"),
]
UP = series("up", "1x60")
# One that comes with another.
ALSO = {"ParaphExpiresNow": ["ParaphExpiresSoon"]}


def test_each_alert_fires_when_it_should_and_not_before(tmp_path):
    assert [rule["alert"] for rule in rules()] == list(FIRING)
    texts = {rule["alert"]: rule for rule in rules()}
    tests = [
        {
            "interval": "1m",
            "input_series": [*QUIET, UP],
            "alert_rule_test": [{"eval_time": "1h", "alertname": name, "exp_alerts": []} for name in FIRING],
        }
    ]
    for name, (input_series, _) in FIRING.items():
        wanted = [name, *ALSO.get(name, [])]
        more = [] if name == "ParaphDown" else [UP]
        tests.append(
            {
                "interval": "1m",
                "input_series": [*input_series, *more],
                "alert_rule_test": [
                    {"eval_time": "1h", "alertname": other, "exp_alerts": []} for other in FIRING if other not in wanted
                ],
                "promql_expr_test": [
                    {"expr": f'count(ALERTS{{alertname="{one}", alertstate="firing"}})', "eval_time": "1h",
                     "exp_samples": [{"labels": "{}", "value": 1}]}
                    for one in wanted
                ],
            }
        )
    file = tmp_path / "test.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    promtool("test", "rules", file)
    assert texts.keys() == FIRING.keys()


# Alert → counters of which the first event brings it about, so that they have to be there before with 0.
FIRST = {
    "ParaphCertificateRefused": [
        ("paraph_upstream_trust_decisions_total", {"api": "pinned", "action": "refuse", "reason": "no_pin_matched"}, 1)
    ],
    "ParaphPinsReport": [
        ("paraph_upstream_trust_decisions_total", {"api": "reported", "action": "report", "reason": "no_pin_matched"}, 1)
    ],
    "ParaphTokenExchangesFail": [
        # One after the other, of whatever result.
        ("paraph_exchanges_total", {"api": "tokens", "kind": "password", "result": "exchange_unreachable"}, 1),
        ("paraph_exchanges_total", {"api": "tokens", "kind": "password", "result": "exchange_login_refused"}, 1),
        ("paraph_exchanges_total", {"api": "tokens", "kind": "password", "result": "exchange_provider_failed"}, 1),
    ],
    # More than ten at once.
    "ParaphProviderRefuses": [
        ("paraph_provider_refusals_total", {"api": "tokens", "diagnosis": "nonce_used"}, 11),
    ],
    "ParaphVaultFails": [("paraph_vault_operations_total", {"operation": "load", "result": "failed"}, 1)],
    "ParaphReloadRefused": [("paraph_configuration_reloads_total", {"outcome": "refused"}, 1)],
    "ParaphLogDropped": [("paraph_log_dropped_total", {}, 1)],
}


@pytest.mark.parametrize("is_known", [True, False])
def test_the_first_event_of_its_kind_brings_an_alert_about(tmp_path, is_known):
    """Only since its counter is known with 0 before."""
    before = "0x29" if is_known else "_x29"
    for alert, counters in FIRST.items():
        test = {
            "interval": "1m",
            "input_series": [UP, *(series(name, f"{before} {value}x30", **labels) for name, labels, value in counters)],
            "promql_expr_test": [
                {"expr": f'count(ALERTS{{alertname="{alert}", alertstate="firing"}})', "eval_time": "35m",
                 "exp_samples": [{"labels": "{}", "value": 1}] if is_known else []}
            ],
        }
        file = tmp_path / f"{alert}.yaml"
        file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": [test]}))
        promtool("test", "rules", file)


@pytest.mark.parametrize("accounts", ["off", "on"])
def test_counters_that_alerts_are_on_begin_with_0(world, launch, accounts):
    grant = PasswordGrant(world.provider)
    tokens = world.api(accounts={"default": {"password": {"username": "alice", "password": grant.new_user("alice")}}})
    tokens["oauth2"] = grant.settings(world)
    del tokens["oauth1"]
    pinning = {"mode": "public_key", "pins": [OTHER_PIN, public_key_pin(world.certificates.stranger.certificate)]}
    apis = {
        "tokens": tokens,
        "pinned": world.api(["pinned.wild.test.example"], tls={"pinning": pinning}),
        "reported": world.api(["two.wild.test.example"], tls={"pinning": {**pinning, "on_failure": "report"}}),
    }
    text = launch(world.configuration(apis, metrics={"accounts": accounts})).admin("/metrics")[1].decode()
    known = [
        (name, {label: value for label, value in re.findall(r'(\w+)="(.*?)"', labels) if label != "account"})
        for name, labels in re.findall(r"^(\w+)(?:{(.*)})? 0$", text, re.M)
    ]
    for counters in FIRST.values():
        for name, labels, _ in counters:
            assert (name, labels) in known


def alarming():
    """Alert → the counters whose increase brings it about, with what the rule selects of them: not what that is a share
    of."""
    for rule in rules():
        found = re.findall(r"\b(?:rate|increase)\((paraph_\w+)(?:{([^}]*)})?\[", rule["expr"].split("/")[0])
        for name, selected in found:
            yield rule["alert"], name, re.findall(r'(\w+)(!?=)"([^"]*)"', selected)


def series_of(text, name, selectors):
    """Those of a metric that are selected, with their values."""
    found = {}
    for labels, value in re.findall(rf"^{name}(?:{{(.*)}})? (\S+)$", text, re.M):
        values = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels))
        if all((values.get(label, "") == wanted) == (how == "=") for label, how, wanted in selectors):
            found[labels] = value
    return found


def test_whatever_brings_an_alert_about_is_counted_from_0_on(scene):
    """Its first increase is none to Prometheus where it comes up later."""
    checked = set()
    for alert, name, selectors in alarming():
        if alert == "ParaphPinsReport":
            # Only with such pins: the test above has them.
            continue
        before, after = (series_of(text, name, selectors) for text in (scene.first, scene.text))
        assert before and set(before.values()) == {"0"}, alert
        assert before.keys() == after.keys(), alert
        checked.add(alert)
    assert {"ParaphRefusesRequests", "ParaphServerErrors", "ParaphProviderRefuses"} <= checked


class Prometheus:
    def __init__(self, process, address):
        self.process, self.address = process, address
        self.lines = []
        self.output = Output(process.stdout, self.lines.append)

    def get(self, path, **query):
        """Nothing while it is not ready yet."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        url = f"http://{self.address}{path}?{urllib.parse.urlencode(query)}"
        assert self.process.poll() is None, "\n".join(self.lines[-20:])
        try:
            with opener.open(url, timeout=LIMIT) as answer:
                found = json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code == 503:
                return None
            raise AssertionError(f"{query}: {error.read().decode()}") from error
        except OSError:
            return None
        assert found["status"] == "success", found
        return found["data"]

    def value(self, expression):
        """Of an expression that has one value."""
        found = self.get("/api/v1/query", query=expression)
        if not found or not found["result"]:
            return None
        result = found["result"]
        return float(result[1] if found["resultType"] == "scalar" else result[0]["value"][1])


    def last(self, selector):
        """Of the last scrape that came in time."""
        return self.value(f"last_over_time({selector}[1h])")


@contextmanager
def prometheus(folder, paraph):
    """The real one, with the configuration that is shipped, of which only what this test needs is another."""
    configuration = yaml.safe_load(SCRAPING.read_text())
    assert configuration["rule_files"] == [RULES.name]
    configuration["rule_files"] = [str(RULES)]
    configuration["global"] = {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"}
    configuration["scrape_configs"][0]["static_configs"] = [{"targets": [paraph.addresses["admin"]]}]
    file = folder / "prometheus.yaml"
    file.write_text(yaml.safe_dump(configuration))
    with held_port() as port:
        arguments = [f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}"]
        arguments.append(f"--web.listen-address=127.0.0.1:{port}")
        process = subprocess.Popen(
            [tool("prometheus"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
        )
        try:
            yield Prometheus(process, f"127.0.0.1:{port}")
        finally:
            process.terminate()
            process.wait(LIMIT)


def test_prometheus_scrapes_and_answers(scene, tmp_path):
    tool("prometheus")
    with prometheus(tmp_path, scene.paraph) as found:
        wait_until(lambda: found.value('up{job="paraph"}') == 1, "a scrape")
        ok = 'paraph_requests_total{api="main", method="GET", status="2xx"}'
        assert found.last(ok) == 3
        assert found.last('paraph_signatures_total{api="main", method="HMAC-SHA1"}') == 3
        assert found.last('paraph_request_seconds_count{api="main"}') == 3
        assert found.last('paraph_request_seconds_bucket{api="main", le="+Inf"}') == 3
        assert found.last('paraph_refusals_total{api="pinned", reason="tls_certificate_error"}') == 1
        failed = '{api="pinned", phase="tls", result="tls_certificate_error"}'
        assert found.last(f"paraph_connect_seconds_count{failed}") == 1
        # All requests are in the histogram, those that the proxy answered itself too.
        agree = "sum(last_over_time(paraph_requests_total[1h])) == sum(last_over_time(paraph_request_seconds_count[1h]))"
        assert found.value(agree) > 0
        assert found.last('paraph_repeats_total{api="tokens", cause="token_refused"}') == 1
        refused = '{api="pinned", action="refuse", reason="no_pin_matched"}'
        assert found.last(f"paraph_upstream_trust_decisions_total{refused}") == 1
        assert found.last('paraph_upstream_connections{api="main", state="in_use"}') == 0
        assert found.last('paraph_expiry_timestamp_seconds{what="pins", name="pinned"}') == DAY_AFTER
        assert found.last('paraph_expiry_timestamp_seconds{what="token"}') > found.value("time()")
        assert found.last("process_open_fds") < found.last("process_max_fds")
        # The label comes out as it went in.
        exchanges = 'last_over_time(paraph_exchanges_total{result="ok"}[1h])'
        metrics = [one["metric"] for one in found.get("/api/v1/query", query=exchanges)["result"]]
        assert {(one["account"], one["kind"]) for one in metrics} == {(ODD, "password"), (ODD, "refresh")}
        assert found.last('paraph_exchanges_total{result="ok", kind="refresh"}') == 1
        # What comes is counted on.
        for _ in range(2):
            ask(scene.paraph, scene.URL).verified()
        wait_until(lambda: found.last(ok) == 5, "the next scrapes")
        assert found.value(f"increase({ok}[1h])") > 0
        for expression in dashboard_expressions():
            assert found.get("/api/v1/query", query=expression) is not None
        for query in dashboard_queries():
            metric, label = re.fullmatch(r"label_values\((.*), (\w+)\)", query).groups()
            metric = metric.replace("$job", ".*").replace("$instance", ".*")
            assert found.get(f"/api/v1/label/{label}/values", **{"match[]": metric}), query

        def evaluated():
            groups = found.get("/api/v1/rules")["groups"]
            known = [rule for group in groups for rule in group["rules"]]
            return [one for one in known if one["health"] != "unknown"] == known and known

        known = wait_until(evaluated, "the rules to be evaluated")
        assert [(one["name"], one["health"]) for one in known] == [(rule["alert"], "ok") for rule in rules()]
        assert found.value('count(ALERTS{alertstate="firing"})') is None

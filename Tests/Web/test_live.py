"""Pages that follow what still goes on, driven as a person would."""
import json
import unittest
import urllib.error
import urllib.request

from browser import ROOT, BrowserCase, Server
from living import VIEW, Living, Session, free_port


class LiveCase(BrowserCase):
    def start(self, living):
        """Something that is stopped when the test is over."""
        self.addCleanup(living.stop)
        return living

    def packets(self):
        return self.number(self.page.inner_text("#follow-news").split(" ")[0])

    def wait_for_more(self):
        """Waits until the page has drawn something newer."""
        drawn = int(self.page.evaluate("document.body.dataset.news || 0"))
        self.wait_for(f"Number(document.body.dataset.news) > {drawn}")

    def wait_until_shown(self, selector):
        """A page that has nothing to show yet looks again by itself."""
        self.page.wait_for_selector(selector, timeout=20_000)


class RecordTests(LiveCase):
    def setUp(self):
        super().setUp()
        session = self.start(Session())
        name = f"{self._testMethodName}.telecap"
        self.recording = Living(
            "record", "-o", name, "--tele-udp", session.port, "--view", "--no-open", folder=self.folder.name)
        self.start(self.recording)
        self.path_of_capture = self.path(name)
        self.url = self.recording.wait_for(VIEW)

    def test_overview_and_timeline_follow_and_say_when_it_ended(self):
        self.page.goto(self.url)
        self.wait_until_shown(".stand-outs")
        self.wait_for_more()
        first = self.packets()
        self.wait_for_more()
        self.assertGreater(self.packets(), first)
        self.assertIn("tele POSE", self.page.inner_text("main"))
        self.check_accessible()
        self.page.goto(self.url + "timeline")
        self.wait_until_shown("#figures .panel")
        until = "Number(figures.dataset.until)"
        old = self.page.evaluate(until)
        self.wait_for(f"{until} > {old + 0.5}")
        self.assertEqual(self.page.evaluate("Number(figures.dataset.from)"), 0)
        self.check_accessible()
        # The last part goes on with the end, its length as it was.
        self.page.click("[data-zoom=in]")
        for _ in range(4):
            self.page.click("[data-zoom=right]")
        self.wait_for(f"{until} > {self.page.evaluate('Number(document.querySelector(`.zoomer`).dataset.until)')}")
        self.assertGreater(self.page.evaluate("Number(figures.dataset.from)"), 0)
        self.assertEqual(self.recording.stop()[0], 0)
        self.wait_for("document.querySelector('#follow-state').textContent === 'ended'")
        self.assertRegex(self.page.inner_text("#follow-news"), r"the recording ended: [\d,]+ packets")

    def test_the_list_goes_on_at_its_end_and_holds_still_when_it_is_told_to(self):
        self.page.goto(self.url + "packets?newest=1")
        self.wait_until_shown("tr[aria-selected=true]")
        selected = "Number(document.querySelector('tr[aria-selected=true]').dataset.message)"
        first = self.page.evaluate(selected)
        self.wait_for(f"{selected} > {first + 20}")
        self.wait_for(f"Number(document.body.dataset.shown) > {first}")
        self.check_accessible()
        self.page.click("#hold")
        self.wait_for("document.querySelector('#follow-state').textContent === 'held'")
        words = self.page.inner_text("#follow-news")
        self.page.wait_for_timeout(300)
        held = self.page.evaluate(selected)
        self.wait_for(f"document.querySelector('#follow-news').textContent !== {json.dumps(words)}")
        self.assertEqual(self.page.evaluate(selected), held)
        self.page.click("#hold")
        self.wait_for(f"{selected} > {held}")

    def test_another_view_of_it_follows_too(self):
        self.recording.wait_for("^recording ")
        server = Server(self.path_of_capture)
        try:
            self.page.goto(server.url)
            self.wait_until_shown(".stand-outs")
            self.wait_for_more()
            first = self.packets()
            self.wait_for_more()
            self.assertGreater(self.packets(), first)
            self.page.goto(server.url + "what-if?as=host&loss=30")
            self.wait_until_shown("#command")
        finally:
            self.assertEqual(server.stop(), 0)

    def test_a_recorder_that_is_killed_is_told(self):
        self.recording.wait_for("^recording ")
        server = Server(self.path_of_capture)
        try:
            self.page.goto(server.url)
            self.wait_until_shown(".stand-outs")
            self.wait_for_more()
            self.recording.process.kill()
            self.wait_for("document.querySelector('#follow-state').textContent === 'ended'")
            self.assertRegex(
                self.page.inner_text("#follow-news"), r"^the recorder has ended without finishing; .*: [\d,]+ packets$")
            self.assertIn("no: it goes on, or was killed", self.page.inner_text("main"))
        finally:
            self.assertEqual(server.stop(), 0)

    def test_it_can_be_followed_by_who_knows_the_token_only_and_by_so_many(self):
        def status(url, **headers):
            try:
                return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10)
            except urllib.error.HTTPError as error:
                return error
        events = self.url + "events"
        first = status(events)
        self.assertEqual(first.status, 200)
        self.assertEqual(first.headers["content-type"], "text/event-stream")
        self.assertIn("connect-src 'self'", first.headers["content-security-policy"])
        self.assertEqual(first.readline(), b"event: news\n")
        self.assertEqual(status(events, Origin="https://evil.example").status, 403)
        self.assertEqual(status(events, Host="evil.example").status, 403)
        self.assertEqual(status("/".join(self.url.split("/")[:3]) + "/0/events").status, 404)
        rest = [status(events) for _ in range(32)]
        self.assertEqual([one.status for one in rest], 31 * [200] + [503])
        for one in [first, *rest]:
            one.close()


class RelayTests(LiveCase):
    def setUp(self):
        super().setUp()
        host, port = free_port(), free_port()
        self.relay = self.start(Living(
            "relay", f"udp:{port}=127.0.0.1:{host}", "--tele-udp", host, "--delay", "20ms", "--view", "--no-open",
            "--record", f"{self._testMethodName}.telecap", folder=self.folder.name))
        self.url = self.relay.wait_for(VIEW)
        self.relay.wait_for("^relaying udp")
        self.start(Session(towards=port, host=host))

    def counted(self, name, way=0):
        return self.number(self.page.locator(f"[data-number='{name}'] b").nth(way).inner_text())

    def wait_until_counted(self, name, more_than, way=0):
        self.wait_for(
            f"Number(document.querySelectorAll(`[data-number='{name}'] b`)[{way}].textContent.replaceAll(',', ''))"
            f" > {more_than}")

    def test_a_slider_changes_the_living_network(self):
        self.page.goto(self.url)
        self.wait_until_counted("passed on", 60)
        self.wait_until_counted("passed on", 5, way=1)
        self.assertEqual(self.counted("dropped"), 0)
        self.assertEqual(self.page.input_value("input[name=delay]"), "20")
        self.assertIn("--delay 20ms", self.page.inner_text("#options"))
        self.page.wait_for_selector("figure.panel")
        self.check_accessible()
        self.page.fill("input[name=loss]", "20")
        self.wait_for("document.querySelector('#changed').textContent.startsWith('changed: --loss 20% --delay 20ms')")
        self.relay.wait_for("^network changed: --loss 20% --delay 20ms$")
        self.wait_until_counted("dropped", 20)
        self.wait_until_counted("dropped", 2, way=1)
        self.page.select_option("select[name=way]", "down")
        self.wait_for("document.querySelector('#options').textContent === '--loss 20% --delay 20ms --down'")
        # To the server everything arrives from now on.
        passed, dropped = self.counted("passed on"), self.counted("dropped")
        self.wait_until_counted("passed on", passed + 60)
        self.assertEqual(self.counted("dropped"), dropped)
        self.page.goto(self.url + "../1/timeline")
        self.page.wait_for_selector("#figures .panel", timeout=20_000)
        self.wait_for_more()
        self.page.goto(self.url)
        self.wait_until_counted("passed on", 60)
        status, printed = self.relay.stop()
        self.assertEqual(status, 0)
        self.assertRegex(printed, r"up +changed 2 times while it ran; in all \d+ datagrams: \d+ dropped")
        self.wait_for("document.querySelector('#follow-state').textContent === 'ended'")
        self.assertEqual(self.page.inner_text("#follow-news"), "the relay ended")

    def test_nobody_else_changes_it(self):
        origin = "/".join(self.url.split("/")[:3])
        own = {"Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
        for url, headers, form, status in [
            (self.url + "network", {**own, "Origin": "https://evil.example"}, "loss=100", 403),
            (self.url + "network", {**own, "Origin": "null"}, "loss=100", 403),
            (self.url + "network", {"Content-Type": own["Content-Type"]}, "loss=100", 403),
            (self.url + "network", {**own, "Host": "evil.example"}, "loss=100", 403),
            (origin + "/0/network", own, "loss=100", 404),
            (self.url + "network", own, "", 400), (self.url + "network", own, "loss=5&x=" + 5_000 * "y", 413),
            (self.url + "network", own, "loss=101", 400), (self.url + "network", own, "loss=nan", 400),
            (self.url + "network", own, "delay=-1", 400), (self.url + "network", own, "way=sideways", 400),
            (self.url + "network", own, "network=/etc/passwd", 400), (self.url + "else", own, "loss=5", 404),
            (self.url + "../1/network", own, "loss=5", 405), (self.url + "network", own, "loss=5", 200),
        ]:
            request = urllib.request.Request(url.replace("/0/../1/", "/1/"), form.encode(), headers, method="POST")
            try:
                with urllib.request.urlopen(request, timeout=10) as answer:
                    self.assertEqual(answer.status, status)
            except urllib.error.HTTPError as error:
                self.assertEqual(error.status, status, f"{url} {headers} {form}: {error.read()}")
        self.relay.wait_for("^network changed: --loss 5%$")
        self.assertEqual(len([line for line in self.relay.said if line and line.startswith("network changed")]), 1)

    def test_a_named_network_is_played_and_its_sliders_go_on_from_there(self):
        self.page.goto(self.url)
        self.wait_until_counted("passed on", 20)
        self.assertEqual(self.page.input_value("select[name=network]"), "")
        # The page is drawn anew: the network moved its sliders.
        with self.page.expect_navigation():
            self.page.select_option("select[name=network]", "lte")
        self.relay.wait_for(r"^network changed: .*--delay 22\.5ms")
        self.assertEqual(self.page.input_value("select[name=network]"), "lte")
        self.assertEqual(self.page.input_value("input[name=delay]"), "22.5")
        self.assertIn("--rate 50mbit", self.page.inner_text("#options"))
        self.check_accessible()
        self.page.fill("input[name=loss]", "30")
        changed = self.relay.wait_for(r"^network changed: (.*--loss 30%.*)$")
        self.assertIn("--rate 50mbit", changed)
        self.assertIn("--delay 22.5ms", changed)
        with self.page.expect_navigation():
            self.page.select_option("select[name=network]", label="perfect")
        self.relay.wait_for("^network changed: nothing is done any more$")


class JudgedRelayTests(LiveCase):
    def test_verdicts_appear_as_they_fall(self):
        port = free_port()
        relay = self.start(Living(
            "relay", f"udp:{port}=Scenarios/systems/naive-host.yaml", "--seed", 3, "--jitter", "30ms", "--up", "--view", "--no-open",
            folder=ROOT))
        url = relay.wait_for(VIEW)
        relay.wait_for("^relaying udp", seconds=60)
        self.page.goto(url)
        self.wait_for("document.querySelectorAll('[data-verdict]').length > 3")
        self.assertEqual(set(self.page.locator("[data-verdict] .severity").all_inner_texts()), {"open"})
        self.start(Living("simulate", "phone", "--code", "ABC123", "--to", f"127.0.0.1:{port}"))
        verdict = "document.querySelector('[data-verdict=\"tele.pose.latest-value-wins\"] .severity')"
        self.wait_for(f"{verdict} && {verdict}.textContent === 'fail'", seconds=40)
        # It fell while the relay ran.
        self.assertIsNone(relay.process.poll())
        self.assertIn("By what happened in the first", self.page.inner_text("main"))
        self.assertEqual(self.page.locator("[data-verdict] .severity").first.inner_text(), "FAIL")
        self.check_accessible()
        status, printed = relay.stop()
        self.assertEqual(status, 1)
        self.assertIn("tele.pose.latest-value-wins", printed)
        self.wait_for("document.querySelector('#follow-state').textContent === 'ended'")
        self.assertRegex(self.page.inner_text("#follow-news"), r"^the relay ended: \d+ pass, \d+ fail")
        self.wait_for("document.querySelector('main').textContent.includes('By all that happened in')")


class ConformTests(LiveCase):
    def test_verdicts_appear_as_they_fall_and_stay_until_it_is_ended(self):
        run = self.start(Living(
            "conform", "--sut", "model:phone+no-clamp", "--only", "tele.haptic.*", "--seeds", 3, "--json", self.path("run.json"), "--view",
            "--no-open", folder=ROOT))
        self.page.goto(run.wait_for(VIEW))
        rows = "document.querySelectorAll('details.rule').length"
        self.wait_for(f"{rows} > 0")
        first, outcome = self.page.evaluate(f"[{rows}, document.querySelector('tbody .severity').textContent]")
        self.assertEqual(outcome, "running")
        run.wait_for("^the results stay on the page until Ctrl-C$", seconds=120)
        self.wait_for("document.querySelector('#follow-state').textContent === 'ended'")
        with open(self.path("run.json")) as file:
            results = json.load(file)
        self.wait_for(f"{rows} === {len(results['scenarios'])}")
        self.assertLess(first, len(results["scenarios"]))
        self.assertIn(f"{len(results['scenarios'])} scenarios", self.page.inner_text("#follow-news"))
        self.assertFalse(results["passes"])
        self.assertIn("fails", self.page.inner_text("tbody"))
        self.check_accessible()
        self.assertEqual(run.stop()[0], 1)


if __name__ == "__main__":
    unittest.main()

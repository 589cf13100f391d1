"""The live page, driven as a person would."""
import re
import time
import unittest
import urllib.request
from urllib.parse import quote

import session
from browser import BrowserCase, Server, telecap


class ViewTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        session.write(cls.path("session.pcap"), session.lost_haptics())
        telecap("import", cls.path("session.pcap"), "-o", cls.path("session.telecap"))
        cls.server = Server(cls.path("session.telecap"))

    @classmethod
    def tearDownClass(cls):
        status = cls.server.stop()
        super().tearDownClass()
        assert status == 0, status

    def go(self, path="", wait=None):
        self.page.goto(self.server.url + path)
        if wait:
            self.page.wait_for_selector(wait)

    def test_overview_tells_when_and_why_the_haptics_were_lost(self):
        self.go(wait=".stand-outs")
        told = self.page.inner_text(".stand-outs")
        # One outage of one session is told once, with who fell silent and from when to when.
        self.assertRegex(told, r"session 1 \(tele\) ended by silence: the host sent no haptic for 20\.\d+ s, from 22\.\d+ s to 4\d\.\d+ s")
        self.assertRegex(told, r"and nothing for 3\.\d+ s, from 40\.\d+ s to 43\.\d+ s")
        # What came of the next session is the other thing.
        self.assertRegex(told, r"refused\s+4\d\.\d+ s the host refused a session of tele: BUSY 12 times")
        # The phone sent on while it had no session.
        self.assertRegex(told, r"outside\s+4\d\.\d+ s pose of tele came [\d,]+ times outside any session")
        self.assertEqual(self.page.locator(".stand-outs li").count(), 3)
        self.assertEqual(self.page.locator("#further-stand-outs").count(), 0)
        self.page.locator("details.session summary").first.click()
        self.assertRegex(self.page.locator("tr", has_text="HAPTIC").first.inner_text(), r"22\.\d+ s")
        self.check_accessible()
        self.shoot("view-overview")
        link = self.page.locator(".stand-outs li", has_text="no haptic").locator("a").first
        link_text = link.inner_text()
        self.assertAlmostEqual(self.number(link_text), 22, delta=0.2)
        link.click()
        self.page.wait_for_selector("#figures")
        self.assertIn("/timeline?from=", self.page.url)
        # The cursor stands at the moment, and the outage is shaded in all lanes and in the panels of its session.
        self.assertAlmostEqual(self.number(self.page.inner_text("#now")), self.number(link_text), delta=0.001)
        bars = self.page.locator(".shades svg.bar").all_text_contents()
        self.assertRegex(bars[0], r"^no haptic for 2\d\.\d+ s$")
        for figure in self.page.locator("#figures figure:not(.shades)").all():
            words = figure.locator("figcaption b").first.inner_text()
            is_of_another = re.fullmatch("tele pose", words)
            self.assertEqual(figure.locator(".shade.outage").count(), 0 if is_of_another else 1, words)
        self.check_accessible()

    def test_what_stands_out_leads_to_its_packets(self):
        self.go(wait=".stand-outs")
        self.page.locator(".stand-outs li", has_text="no haptic").locator("a.to-packets").click()
        self.page.wait_for_selector("tr[aria-selected=true]")
        # It is the last haptic of the session.
        selected = self.page.inner_text("tr[aria-selected=true]")
        self.assertIn("HAPTIC", selected)
        self.assertEqual(self.page.locator("tr[aria-selected=true] ~ tr", has_text="HAPTIC").count(), 0)

    def test_the_cursor_leads_to_its_packets(self):
        for way in ("key", "mouse", "link"):
            self.go("timeline", wait="#figures")
            zoomer = self.page.locator(".zoomer")
            zoomer.focus()
            for _ in range(3):
                self.page.keyboard.press("ArrowRight")
            if way == "mouse":
                box = self.page.locator(".density svg.plot").first.bounding_box()
                self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 5)
            moment = self.number(self.page.inner_text("#now"))
            if way == "key":
                self.page.keyboard.press("Enter")
            elif way == "mouse":
                self.page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + 5)
            else:
                self.page.click("#here")
            self.page.wait_for_selector("tr[aria-selected=true]")
            self.assertIn("packets?at=", self.page.url)
            # The first message from then on: some 80 come in a second.
            at = self.number(self.page.locator("tr[aria-selected=true] td").nth(1).inner_text())
            self.assertTrue(moment - 0.001 <= at < moment + 0.2, (way, moment, at))

    def test_lanes_tell_their_counts_under_the_cursor(self):
        self.go("timeline", wait="#figures")
        lane = self.page.locator(".density", has_text="HAPTIC")
        box = lane.locator("svg.plot").bounding_box()
        seen = []
        for second in (10, 30):
            self.page.mouse.move(box["x"] + box["width"] * second / 59, box["y"] + 5)
            seen.append(lane.locator(".value").inner_text())
        # 20 haptics a second, in columns so wide that some twelve of all lie in each; after 22 s none.
        self.assertRegex(seen[0], r"^[12]\d here$|^3[0-6] here$")
        self.assertEqual(seen[1], "0 here")

    def test_timeline_zooms_pans_and_tells_values(self):
        self.go("timeline", wait="#figures")
        self.check_accessible()
        self.page.focus(".zoomer")
        for key in "++":
            drawn = self.page.evaluate("document.body.dataset.drawn")
            self.page.keyboard.press(key)
            self.wait_for(f"document.body.dataset.drawn !== {drawn!r}".replace("None", "undefined"))
        self.assertLess(self.page.evaluate("figures.dataset.until - figures.dataset.from"), 20)
        start = self.page.evaluate("Number(figures.dataset.from)")
        self.page.keyboard.press("Shift+ArrowRight")
        self.wait_for(f"Number(figures.dataset.from) > {start}")
        self.page.keyboard.press("ArrowRight")
        self.assertRegex(self.page.inner_text("#now"), r"^\d+\.\d{4} s$")
        self.assertRegex(" ".join(self.page.locator(".panel .value").all_inner_texts()), r"-?\d")
        box = self.page.locator(".zoomer").bounding_box()
        self.page.mouse.move(box["x"] + 300, box["y"] + 300)
        at = self.number(self.page.inner_text("#now"))
        self.page.keyboard.down("Control")
        self.page.mouse.wheel(0, -100)
        self.page.keyboard.up("Control")
        self.wait_for("figures.dataset.until - figures.dataset.from < 14")
        low, high = self.page.evaluate("[Number(figures.dataset.from), Number(figures.dataset.until)]")
        self.assertTrue(low < at < high)
        self.page.focus(".zoomer")
        self.page.keyboard.press("0")
        self.wait_for("figures.dataset.from == 0 && figures.dataset.until > 50")

    def test_under_the_cursor_an_age_grows_from_message_to_message(self):
        self.go("timeline", wait="#figures")
        panels = self.page.locator(".panel", has_text="haptic").filter(has_text="age of information")
        # Every picture has the same axis of time; this one is on the screen.
        box = self.page.locator(".density svg.plot").first.bounding_box()
        seen = []
        for second in (24, 26):
            self.page.mouse.move(box["x"] + box["width"] * second / 59, box["y"] + 5)
            seen.append(self.number(panels.first.locator(".value").first.inner_text()))
        # The last haptic came at 22 s.
        self.assertTrue(1_500 < seen[0] < 2_500 and 3_500 < seen[1] < 4_500, seen)

    def test_the_numbers_of_axes_stand_beside_the_curves(self):
        self.go("timeline", wait="#figures")
        for panel in self.page.locator("#figures .panel").all():
            plot = panel.locator("svg.plot").bounding_box()
            for text in panel.locator("svg.axis text").all():
                box = text.bounding_box()
                self.assertTrue(box["x"] >= 0 and box["x"] + box["width"] <= plot["x"], (box, plot))
            self.assertEqual(panel.locator("svg.plot text").count(), 0)

    def test_two_fingers_zoom_and_one_moves(self):
        self.tearDown()
        self.open_page("light", (390, 844), has_touch=True)
        self.go("timeline", wait="#figures")
        box = self.page.locator(".density svg.plot").first.bounding_box()
        middle, y = box["x"] + box["width"] / 2, box["y"] + 8
        client = self.context.new_cdp_session(self.page)

        def fingers(kind, *places):
            points = [{"x": x, "y": y, "id": number} for number, x in enumerate(places)]
            client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        fingers("touchStart", middle - 20)
        fingers("touchStart", middle - 20, middle + 20)
        for apart in (40, 60, 80):
            # What the fingers touch is drawn anew in between.
            fingers("touchMove", middle - apart, middle + apart)
            self.wait_for(f"Math.abs(figures.dataset.until - figures.dataset.from - 59 * 20 / {apart}) < 0.5")
        fingers("touchEnd")
        # A quarter of the time is left, around what lay between the fingers; the page itself is as wide as before.
        self.wait_for("Math.abs(figures.dataset.until - figures.dataset.from - 59 / 4) < 0.5")
        low, high = self.page.evaluate("[Number(figures.dataset.from), Number(figures.dataset.until)]")
        self.assertAlmostEqual((low + high) / 2, 29.5, delta=0.5)
        self.assertEqual(self.page.evaluate("visualViewport.scale"), 1)
        # There is less above the lanes now.
        y = self.page.locator(".density svg.plot").first.bounding_box()["y"] + 8
        fingers("touchStart", middle)
        for step in range(1, 6):
            fingers("touchMove", middle - 20 * step)
            self.wait_for(f"Number(figures.dataset.from) > {low} + {step * 0.6}")
        fingers("touchEnd")

    def test_what_can_be_scrolled_aside_shows_it(self):
        self.tearDown()
        self.open_page("light", (390, 844))
        self.go(wait=".stand-outs")
        table = self.page.locator("[aria-label='Messages by type']")
        self.assertGreater(*table.evaluate("one => [one.scrollWidth, one.clientWidth]"))
        shades = []
        for place in (0, 1_000):
            table.evaluate("(one, place) => { one.scrollLeft = place; one.scrollIntoView({ block: 'center' }); }", place)
            box = table.bounding_box()
            edges = []
            for x in (box["x"], box["x"] + box["width"] - 2):
                edge = self.page.screenshot(clip={"x": x, "y": box["y"] + 3, "width": 2, "height": 2})
                edges.append(edge)
            shades.append(edges)
        # What is hidden at the right shades the right edge, and at the left the left one.
        (left, right), (left_behind, right_behind) = shades
        self.assertNotEqual(right, right_behind)
        self.assertNotEqual(left, left_behind)

    def test_words_are_explained_where_they_stand(self):
        for path, wait, words in [
            ("", ".stand-outs", ["outage", "refused", "outside"]), ("timeline", "#figures", ["age of information", "round trips"]),
            ("what-if?as=host&loss=20", "#figures", ["applied", "p99"]),
        ]:
            self.go(path, wait=wait)
            self.page.locator("details.words summary").click()
            told = self.page.locator("details.words dt").all_inner_texts()
            for word in words:
                self.assertIn(word, told)
        meaning = self.page.locator("abbr", has_text="age of information").first.get_attribute("title")
        self.assertIn(meaning, self.page.locator("details.words dd").all_text_contents())

    def test_a_mark_leads_to_its_packet(self):
        self.go("timeline", wait="#figures")
        self.page.locator(".marks.warning", has_text="value.out-of-range").locator(".mark a").first.focus()
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("tr[aria-selected=true]")
        self.assertIn("value.out-of-range", self.page.inner_text("#detail"))

    def test_packets_are_filtered_and_stepped_through_by_keyboard(self):
        self.go("packets", wait="tr[aria-selected=true]")
        self.page.keyboard.press("/")
        self.page.keyboard.type("typ")
        self.assertEqual(self.page.locator(".column:visible").all_inner_texts(), ["type"])
        self.page.fill("#where", "type = 'HAPTIC' AND intensity > 0.9")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("tr[aria-selected=true]")
        kinds = set(self.page.locator("tr[data-message] td:nth-child(5)").all_inner_texts())
        self.assertEqual(kinds, {"tele HAPTIC"})
        first = self.page.get_attribute("tr[aria-selected=true]", "data-message")
        self.page.keyboard.press("ArrowDown")
        self.wait_for(f"document.body.dataset.shown && document.body.dataset.shown !== '{first}'")
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("ArrowDown")
        lit = self.page.locator(".message .lit")
        fields = {lit.nth(place).get_attribute("data-field") for place in range(lit.count())}
        self.assertEqual(len(fields), 1)
        self.assertGreater(self.page.locator(".bytes .lit").count(), 0)
        self.assertEqual(self.page.locator(".fields .lit").count(), 1)
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("PageDown")
        self.check_accessible()

    def test_a_page_of_the_list_follows_the_other(self):
        self.go("packets", wait="tr[aria-selected=true]")
        self.page.keyboard.press("PageDown")
        self.wait_for("document.querySelector('tr[data-message]').dataset.message === '101'")
        self.page.keyboard.press("ArrowUp")
        self.wait_for("document.querySelector('tr[aria-selected=true]').dataset.message === '100'")

    def test_a_wrong_filter_is_told_in_its_place(self):
        self.go("packets?where=intensitty%20%3E%201", wait=".problem")
        self.assertIn("intensitty", self.page.inner_text(".problem"))
        self.assertNotIn("--where", self.page.inner_text(".problem"))
        self.assertEqual(self.page.input_value("#where"), "intensitty > 1")
        self.assertEqual(self.page.evaluate("document.activeElement.id"), "where")
        self.check_accessible()

    def test_a_filter_that_never_ends_is_told_and_nobody_else_waits(self):
        never = "(SELECT count(*) FROM packet a, packet b, packet c, packet d, packet e, packet f) > 0"
        other = self.context.new_page()
        other.goto(self.server.url + "packets?where=" + quote(never), wait_until="commit", timeout=15_000)
        self.assertIn("timeout after 5 s", other.inner_text(".problem"))
        # Ctrl-C does not wait for one either.
        server = Server(self.path("session.telecap"))
        try:
            urllib.request.urlopen(server.url + "packets?where=" + quote(never), timeout=0.5).close()
        except OSError:
            pass
        began = time.monotonic()
        with urllib.request.urlopen(server.url + "packets", timeout=4) as answer:
            self.assertEqual(answer.status, 200)
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.monotonic() - began, 4)

    def test_loss_redraws_what_would_have_been_applied(self):
        self.go("what-if?as=host", wait="#figures")
        self.check_accessible()
        curve = "document.querySelector('.panel path.applied.step').getAttribute('d')"
        perfect = self.page.evaluate(curve)
        share = self.page.inner_text(".numbers")
        began = time.monotonic()
        self.page.focus("input[name=loss]")
        self.page.keyboard.press("End")
        for _ in range(120):
            self.page.keyboard.press("ArrowLeft")
        self.wait_for("document.querySelector('#command') && document.querySelector('#command').textContent.includes('--loss 40%')")
        print(f"what if: 121 moves of a slider in {time.monotonic() - began:.2f} s")
        self.assertNotEqual(self.page.evaluate(curve), perfect)
        self.assertNotEqual(self.page.inner_text(".numbers"), share)
        self.assertIn("--loss 40%", self.page.inner_text("#command"))
        self.page.select_option("select[name=network]", "train-tunnel")
        self.wait_for("document.querySelector('#command').textContent.includes('--network train-tunnel')")
        self.shoot("view-what-if")

    def test_a_named_network_moves_the_sliders_to_its_numbers(self):
        self.go("what-if?as=host", wait="#figures")
        self.page.select_option("select[name=network]", "lte")
        self.wait_for("document.querySelector('input[name=loss]').value === '0.2'")
        self.assertEqual(self.page.locator("label:has(input[name=delay]) output").inner_text(), "22.5 ms")
        self.assertNotIn("--loss", self.page.inner_text("#command"))
        # A slider that is moved rules in its place; the others go on to the next network.
        self.page.focus("input[name=jitter]")
        self.page.keyboard.press("End")
        self.wait_for("document.querySelector('#command').textContent.includes('--network lte --jitter 500ms --seed')")
        self.page.select_option("select[name=network]", "edge")
        self.wait_for("document.querySelector('input[name=delay]').value === '325'")
        self.assertEqual(self.page.input_value("input[name=jitter]"), "500")
        self.assertIn("--network edge --jitter 500ms --seed", self.page.inner_text("#command"))
        self.page.reload()
        self.assertEqual(self.page.input_value("input[name=delay]"), "325")
        self.assertIn("--network edge --jitter 500ms --seed", self.page.inner_text("#command"))

    def stops(self):
        """How often Tab has to be pressed to go through a page."""
        return self.page.evaluate(
            "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]"
            ".filter(one => one.tabIndex >= 0 && one.type !== 'hidden' && one.getClientRects().length).length")

    def test_a_lane_of_marks_and_a_list_of_columns_are_one_stop_of_the_tab_key(self):
        self.go("timeline?from=18&until=46", wait="#figures")
        marks = self.page.locator("#figures svg[role=group] a")
        self.assertGreater(marks.count(), 10)
        self.assertLess(self.stops(), 30)
        lane = self.page.locator("figure.lane.marks svg[role=group]:has(a + *), figure.lane svg[role=group]").last
        first = lane.locator("a").first
        first.focus()
        self.page.keyboard.press("End")
        last = lane.locator("a").last
        self.assertTrue(last.evaluate("one => one === document.activeElement && one.tabIndex === 0"))
        # What is drawn anew has one stop again.
        self.page.click("[data-zoom=in]")
        self.wait_for("document.body.dataset.drawn")
        self.assertLess(self.stops(), 30)
        self.go("packets", wait="tr[aria-selected=true]")
        self.assertLess(self.stops(), 30)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("End")
        self.assertTrue(self.page.evaluate(
            "document.activeElement === [...document.querySelectorAll('tr[data-field]')].pop()"))

    def test_tab_completes_a_column_of_the_filter(self):
        self.go("packets", wait="tr[aria-selected=true]")
        self.page.keyboard.press("/")
        self.page.keyboard.type("inten")
        self.page.keyboard.press("Tab")
        self.assertEqual(self.page.input_value("#where"), "intensity")
        self.page.keyboard.type(" > 0 AND q")
        self.page.keyboard.press("Tab")
        # All that begin so: what they have in common, then the first.
        begun = self.page.input_value("#where").split()[-1]
        self.assertTrue(begun.startswith("q"))
        self.page.keyboard.type("zzz")
        self.page.keyboard.press("Tab")
        self.assertNotEqual(self.page.evaluate("document.activeElement.id"), "where")

    def test_every_page_in_the_dark_and_on_a_phone(self):
        for scheme, size, name in [("dark", (1280, 900), "dark"), ("light", (390, 844), "phone"), ("dark", (390, 844), None)]:
            for path, wait in [
                ("", ".stand-outs"), ("timeline?from=18&until=46", "#figures"),
                ("packets?where=severity%20IS%20NOT%20NULL", "#detail"), ("what-if?as=host&loss=20&jitter=60", "#figures"),
            ]:
                with self.subTest(scheme=scheme, size=size, path=path):
                    self.tearDown()
                    self.open_page(scheme, size)
                    self.go(path, wait=wait)
                    self.check_accessible()
                    if path.startswith("packets") and size[0] < 640:
                        # Nothing of a message lies beside the screen.
                        self.assertLessEqual(*self.page.evaluate(
                            "(list => [list.scrollWidth, list.clientWidth])(document.querySelector('.list'))"))
                    if name and path.startswith("timeline" if name == "dark" else ""):
                        self.shoot(f"view-{(path.split('?')[0] or 'overview')}-{name}")

    def test_pictures_of_the_documentation(self):
        for path, name, wait in [
            ("timeline?from=18&until=46", "view-timeline", "#figures"),
            ("packets?where=severity%20IS%20NOT%20NULL", "view-packets", "#detail"),
        ]:
            self.go(path, wait=wait)
            self.shoot(name)


class GateTests(BrowserCase):
    def test_nobody_gets_in_without_the_token_and_all_is_read_only(self):
        session.write(self.path("short.pcap"), session.lost_haptics(4)[:200])
        server = Server(self.path("short.pcap"))
        try:
            root = server.url.split("/", 3)[:3]
            for url, method, headers, status in [
                (server.url, "GET", {}, 200), ("/".join(root) + "/", "GET", {}, 404), (server.url, "POST", {}, 405),
                (server.url, "GET", {"Origin": "https://evil.example"}, 403),
                (server.url + "../../../etc/passwd", "GET", {}, 404),
            ]:
                answer = self.context.request.fetch(url, method=method, headers=headers)
                self.assertEqual(answer.status, status, f"{method} {url} {headers}")
                self.assertIn("default-src 'none'", answer.headers["content-security-policy"])
        finally:
            self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()

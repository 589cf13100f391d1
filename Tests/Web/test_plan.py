"""What a plan does with each packet of a capture, live and as a file."""
import json
import unittest

import session
from browser import BrowserCase, Server, telecap


class PlanTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        session.write(cls.path("session.pcap"), session.lost_haptics())
        telecap("import", cls.path("session.pcap"), "-o", cls.path("session.telecap"))
        telecap(
            "plan", "session.telecap", "--role", "host", "--loss", "5%", "--delay", "60ms", "--jitter", "60ms",
            "--duplicate", "3%", "--set", "intensity=1.5@3%", "--seed", "7", "-o", "host.plan", folder=cls.folder.name)
        with open(cls.path("host.plan")) as file:
            cls.lines = [json.loads(line) for line in file][1:]
        telecap("report", "session.telecap", "--plan", "host.plan", "-o", "plan.html", folder=cls.folder.name)
        cls.server = Server(cls.path("session.telecap"), "--plan", "host.plan")

    @classmethod
    def tearDownClass(cls):
        status = cls.server.stop()
        super().tearDownClass()
        assert status == 0, status

    def check_counts(self):
        counts = self.page.inner_text(".run .counts")
        lost = sum(line["verdict"] == "drop" for line in self.lines)
        changed = sum("set" in line or "flip" in line for line in self.lines)
        doubled = sum(len(line.get("due", [])) > 1 for line in self.lines)
        self.assertIn(f"{lost} lost", counts)
        self.assertIn(f"{changed} changed", counts)
        self.assertIn(f"{doubled} duplicated", counts)
        self.assertRegex(counts, r"\b[1-9]\d* reordered")

    def test_marks_tell_what_became_of_packets_by_shape_and_in_words(self):
        self.page.goto(self.server.url + "timeline")
        self.page.wait_for_selector(".run")
        self.check_counts()
        self.check_accessible()
        shapes = {kind: self.page.locator(f".run figure.{kind} svg.mark:not(.key) path").first.get_attribute("d")
                  for kind in ("lost", "reordered", "changed", "duplicated")}
        self.assertEqual(len(set(shapes.values())), 4)
        # Under the cursor stands which packet it was, and what happened to it.
        dropped = next(line for line in self.lines if line["verdict"] == "drop")
        lane = self.page.locator(".run figure.lost")
        box = lane.locator("svg.mark:not(.key) path").first.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.assertTrue(lane.locator(".value").inner_text().startswith(f"packet {dropped['packet']:,} lost by loss"))
        self.assertRegex(self.page.locator(".run .density .value").inner_text(), r"^packet [\d,]+")
        panel = self.page.locator(".run .panel").first
        self.assertEqual([one.get_attribute("class") for one in panel.locator("svg.plot path").all()],
                         ["sent step", "delivered points", "applied step"])
        # By keyboard to the marks, and on to the packet.
        lane.locator(".mark a").first.focus()
        self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("ArrowLeft")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("tr[aria-selected=true]")
        self.assertIn(f"packet={dropped['packet']}", self.page.url)

    def test_it_zooms_with_the_timeline(self):
        self.page.goto(self.server.url + "timeline?from=3&until=9")
        self.page.wait_for_selector(".run")
        self.check_accessible()
        box = self.page.locator(".run figure.reordered svg.mark:not(.key) path").first.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.assertRegex(self.page.locator(".run figure.reordered .value").inner_text(), r"^packet \d+ reordered: [\d.]+ ms after it was sent")
        self.shoot("view-plan")
        self.page.focus(".zoomer")
        self.page.keyboard.press("+")
        self.wait_for("document.body.dataset.drawn && figures.dataset.until - figures.dataset.from < 4")
        self.assertGreater(self.page.locator(".run .panel").count(), 2)

    def test_a_file_has_it_too_in_the_dark_and_on_a_phone(self):
        for scheme, size in [("dark", (1280, 900)), ("light", (390, 844))]:
            with self.subTest(scheme=scheme):
                self.tearDown()
                self.open_page(scheme, size, offline=True)
                self.page.goto("file://" + self.path("plan.html"))
                self.check_counts()
                self.check_accessible()
                self.page.locator(".run").scroll_into_view_if_needed()
                self.shoot(f"report-plan-{scheme}")


if __name__ == "__main__":
    unittest.main()

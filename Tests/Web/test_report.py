"""The page in one file, opened with the network cut."""
import os
import unittest

import session
from browser import BrowserCase, telecap


class ReportTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        session.write(cls.path("session.pcap"), session.lost_haptics())
        telecap("report", "session.pcap", "-o", "report.html", folder=cls.folder.name)

    def setUp(self):
        self.open_page(offline=True)
        self.page.goto("file://" + self.path("report.html"))

    def test_it_asks_for_nothing(self):
        self.page.wait_for_load_state("networkidle")
        self.assertEqual([url for url in self.asked if not url.startswith(("file://" + self.path("report.html"), "data:"))], [])

    def test_it_is_accessible_in_both_schemes_and_on_a_phone(self):
        for scheme, size in [("light", (1280, 900)), ("dark", (1280, 900)), ("light", (390, 844)), ("dark", (390, 844))]:
            with self.subTest(scheme=scheme, size=size):
                self.tearDown()
                self.open_page(scheme, size, offline=True)
                self.page.goto("file://" + self.path("report.html"))
                # One of each: axe-core takes its time over every byte.
                for folded in ["details.session", "details.rule"]:
                    self.page.locator(folded).first.evaluate("part => part.open = true")
                self.check_accessible()
        self.shoot("report-phone")

    def test_it_zooms_and_tells_values(self):
        self.page.focus(".zoomer")
        for _ in range(3):
            self.page.keyboard.press("+")
        self.assertGreater(self.page.evaluate("document.querySelector('.zoomed').clientWidth"), 5_000)
        shown = self.page.inner_text("#span")
        self.page.keyboard.press("Shift+ArrowRight")
        self.assertNotEqual(self.page.inner_text("#span"), shown)
        self.page.keyboard.press("ArrowRight")
        self.assertRegex(" ".join(self.page.locator(".panel .value").all_inner_texts()), r"-?\d")
        self.page.keyboard.press("0")
        self.assertTrue(self.page.inner_text("#span").startswith("0.000"))

    def test_what_stands_out_leads_to_its_time(self):
        link = self.page.locator(".stand-outs a.to-time").first
        link.click()
        self.assertFalse(self.page.inner_text("#span").startswith("0.000 … 6"))
        self.assertAlmostEqual(self.number(self.page.inner_text("#now")), self.number(link.inner_text()), delta=0.001)

    def test_a_finding_leads_to_its_bytes(self):
        self.page.locator("a", has_text="value.out-of-range").first.click()
        part = self.page.locator("details[open]", has_text="value.out-of-range")
        row = part.locator("tr[data-field]", has_text="intensity").first
        row.hover()
        self.assertEqual(part.locator(".bytes .lit").count(), 4)
        self.assertEqual(part.locator(".bytes .lit.wrong").count(), 4)


if __name__ == "__main__":
    unittest.main()

"""A capture of more sessions than anybody can look at side by side."""
import unittest

import session
from browser import BrowserCase, Server, telecap


class ManySessionsTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        session.write(cls.path("many.pcap"), session.many_sessions())
        telecap("import", cls.path("many.pcap"), "-o", cls.path("many.telecap"))
        cls.server = Server(cls.path("many.telecap"))

    @classmethod
    def tearDownClass(cls):
        status = cls.server.stop()
        super().tearDownClass()
        assert status == 0, status

    def go(self, path, wait):
        self.page.goto(self.server.url + path)
        self.page.wait_for_selector(wait)

    def test_the_busiest_sessions_are_drawn_and_the_others_unfold(self):
        self.go("", ".stand-outs")
        self.assertEqual(self.page.locator("svg.sessions").first.locator("a").count(), 12)
        further = self.page.locator("#further-sessions")
        self.assertIn("48 further sessions", further.locator("summary").first.inner_text())
        self.assertFalse(further.evaluate("one => one.open"))
        self.check_accessible()
        # By keyboard to one of them, which unfolds what it is in.
        further.locator("summary").first.focus()
        self.page.keyboard.press("Enter")
        self.check_accessible()
        further.locator("svg.sessions a").first.focus()
        self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Enter")
        self.wait_for("document.querySelector('#session-2').open")
        # Whatever a session's size, its streams are on its part of the timeline.
        self.page.locator("#session-2 a", has_text="Show it").click()
        self.page.wait_for_selector("#figures")
        self.assertIn("session 2", self.page.locator(".panel").first.inner_text())

    def test_less_busy_streams_are_folded_and_stay_unfolded(self):
        self.go("timeline", "#figures")
        self.check_accessible()
        further = self.page.locator("details.further")
        self.assertIn("18 further streams", further.locator("summary").inner_text())
        self.assertIn("96 further streams are not drawn", self.page.locator("main").inner_text())
        further.locator("summary").click()
        self.assertTrue(further.evaluate("one => one.open"))
        self.page.click("[data-zoom=out]")
        self.wait_for("document.body.dataset.drawn")
        self.assertTrue(self.page.locator("details.further").evaluate("one => one.open"))


if __name__ == "__main__":
    unittest.main()

"""Results of conform as pages: of one run, of two side by side, live and as a file."""
import json
import subprocess
import unittest

from browser import TELECAP, BrowserCase, Server, telecap


class ResultsTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for system, name in [("model:phone+no-clamp", "before"), ("model:phone", "after")]:
            subprocess.run(
                [TELECAP, "conform", "--sut", system, "--only", "tele.haptic.clamp*", "--json", f"{name}.json"],
                cwd=cls.folder.name, capture_output=True)
        telecap("report", "before.json", "-o", "before.html", folder=cls.folder.name)

    def test_a_failure_has_its_timeline_its_log_and_its_repeat_line(self):
        self.page.goto("file://" + self.path("before.html"))
        failure = self.page.locator("details[open]", has_text="tele.haptic.clamp-high").first
        self.assertGreater(failure.locator("svg.run").count(), 0)
        self.assertIn("sent", failure.locator("figcaption").first.inner_text())
        self.assertRegex(failure.locator("pre").inner_text(), r"^telecap conform --sut model:phone\+no-clamp --only \S+ .*--case-seed \d+$")
        log = failure.locator("details.log")
        log.locator("summary").click()
        self.assertIn("HAPTIC", log.inner_text())
        for scheme, size in [("light", (1280, 900)), ("dark", (390, 844))]:
            with self.subTest(scheme=scheme):
                self.tearDown()
                self.open_page(scheme, size)
                self.page.goto("file://" + self.path("before.html"))
                self.page.locator("details.log").first.evaluate("part => part.open = true")
                self.check_accessible()
                self.shoot(f"results-{scheme}", whole=True)

    def test_the_repeat_line_fails_again(self):
        with open(self.path("before.json")) as file:
            failed = [one for one in json.load(file)["scenarios"] if one["verdict"] == "fail"]
        self.assertGreater(len(failed), 0)
        again = subprocess.run(
            failed[0]["repeat"].replace("telecap", TELECAP, 1), shell=True, cwd=self.folder.name, capture_output=True, text=True)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_side_by_side_what_became_worse_has_its_picture(self):
        process = subprocess.Popen(
            [TELECAP, "view", "before.json", "after.json", "--no-open"], cwd=self.folder.name, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        try:
            self.page.goto(process.stdout.readline().strip())
            changed = self.page.locator(".stand-outs").inner_text()
            self.assertRegex(changed, r"better\s+tele\.haptic\.clamp-high")
            self.assertGreater(self.page.locator("svg.run").count(), 0)
            self.check_accessible()
            self.shoot("results-beside", whole=True)
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()
            process.stderr.close()

    def test_the_picture_of_the_documentation(self):
        subprocess.run(
            [TELECAP, "conform", "--sut", "model:phone+no-clamp", "--only", "tele.haptic.clamp-high", "--html", "report.html"],
            cwd=self.folder.name, capture_output=True)
        self.tearDown()
        self.open_page(size=(1100, 1065))
        self.page.goto("file://" + self.path("report.html"))
        self.assertGreater(self.page.locator("details[open] svg.run").count(), 0)
        self.shoot("report")


if __name__ == "__main__":
    unittest.main()

"""What the tests of the pages share: the program, a browser, and what must hold of every page."""
import glob
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from urllib.parse import urlparse

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TELECAP = os.environ.get("TELECAP", os.path.join(ROOT, ".build/debug/telecap"))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
IMAGES = os.path.join(ROOT, "Documentation/images")
RECORDS_IMAGES = bool(os.environ.get("TELECAP_RECORD_IMAGES"))


def telecap(*arguments, folder=None):
    return subprocess.run([TELECAP, *arguments], check=True, capture_output=True, text=True, cwd=folder)


class Server:
    """`telecap view`, for as long as a test needs it."""

    def __init__(self, path, *options):
        # By its name alone, so that screenshots do not show where it lies.
        folder, name = os.path.split(path)
        self.process = subprocess.Popen(
            [TELECAP, "view", name, "--no-open", *options], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise AssertionError(self.process.stderr.read())

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=20)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


class BrowserCase(unittest.TestCase):
    """A browser with one page, which must ask nobody but loopback and say nothing on its console."""

    scheme, size = "light", (1280, 900)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def setUp(self):
        self.open_page()

    def open_page(self, scheme=None, size=None, **more):
        width, height = size or self.size
        self.context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme or self.scheme, **more)
        self.page = self.context.new_page()
        self.said, self.asked = [], []
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def tearDown(self):
        self.context.close()
        self.assertEqual(self.said, [])
        for url in self.asked:
            parts = urlparse(url)
            self.assertTrue(
                parts.scheme in ("file", "data") or parts.hostname == "127.0.0.1", f"asked for {url}")

    def check_accessible(self):
        """No violation that axe-core knows, and nothing wider than the screen."""
        result = Axe().run(self.page)
        found = [f"{one['id']}: {node['html'][:160]}" for one in result["violations"] for node in one["nodes"]]
        self.assertEqual(found, [])
        self.assertLessEqual(
            self.page.evaluate("document.documentElement.scrollWidth"), self.page.viewport_size["width"])

    def shoot(self, name, whole=False):
        """A screenshot. TELECAP_RECORD_IMAGES stores those that a page shows in the documentation."""
        pages = [os.path.join(ROOT, "README.md"), *glob.glob(os.path.join(ROOT, "Documentation/**/*.md"), recursive=True)]
        is_shown = RECORDS_IMAGES and any(f"images/{name}.png" in open(page, encoding="utf-8").read() for page in pages)
        folder = IMAGES if is_shown else self.folder.name
        os.makedirs(folder, exist_ok=True)
        self.page.screenshot(path=os.path.join(folder, f"{name}.png"), full_page=whole)

    def wait_for(self, expression, seconds=15):
        """Waits until this is true of the page. (What Playwright has for it evaluates text in the page, which its policy refuses.)"""
        end = time.monotonic() + seconds
        while not self.page.evaluate(expression):
            if time.monotonic() > end:
                self.fail(f"not within {seconds} s: {expression}")
            self.page.wait_for_timeout(20)

    def number(self, text):
        return float(re.sub(r"[^0-9.eE-]", "", text))

"""A capture whose every text wants to be a script: nothing of it runs."""
import sqlite3
import unittest

import session
from browser import BrowserCase, Server, telecap

ATTACKS = [
    "<script>window.ran = 1</script>", "\"><img src=x onerror='window.ran = 1'>", "</script><script>window.ran = 1</script>",
    "' onfocus='window.ran = 1' autofocus='", "\"\u0301 onload=window.ran=1 x=\"\u0301", "{{{figures}}}<svg onload=window.ran=1>",
    "javascript:window.ran=1", "\u202e<b>\u0000\u001b[31m", "</style><style>*{background:url(http://evil.example)}</style>",
]
TEXTS = {
    "capture": ["tool", "version", "host", "clock", "source", "filter", "command_line", "damage"],
    "interface": ["name", "comment"], "finding": ["rule", "text"], "flow": ["source", "destination"],
}
PROTOCOL = """
protocol: lamp
title: "<script>window.ran = 1</script>"
carriers: [{name: udp, over: udp, port: 7000}]
header: [{name: magic, type: text 2, equals: LP, is: identity}, {name: type, type: u8, is: type}]
messages:
  - name: DIM
    type: 1
    from: client
    meaning: "\\"><img src=x onerror='window.ran = 1'>"
    fields: [{name: level, type: f32, range: [0, 1], unit: "<b onclick=1>"}, {name: note, type: text 60}]
session: {opens: with-any-message}
streams: [{name: level, message: DIM, values: [level], range: [0, 1]}]
"""


class HostileTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open(cls.path("lamp.yaml"), "w") as file:
            file.write(PROTOCOL)
        packets = session.lost_haptics(5)[:600]
        for number, attack in enumerate(ATTACKS * 3):
            text = attack.encode()[:60].ljust(60, b"\0")
            packets.append((number / 10, b"LP\x01\x00\x00\x80\x3f" + text, session.PHONE, ("192.0.2.1", 7000)))
        session.write(cls.path("plain.pcap"), packets)
        telecap("import", cls.path("plain.pcap"), "-o", cls.path("hostile.telecap"), "--protocol", cls.path("lamp.yaml"))
        telecap("dissect", cls.path("hostile.telecap"), "--summary")
        base = sqlite3.connect(cls.path("hostile.telecap"))
        for table, columns in TEXTS.items():
            for column in columns:
                for number, attack in enumerate(ATTACKS):
                    base.execute(
                        f"UPDATE {table} SET {column} = ? || rowid WHERE rowid % ? = ?",
                        (attack.replace("\u0000", ""), len(ATTACKS), number))
        base.commit()
        base.close()

    def check(self):
        self.page.wait_for_timeout(200)
        for element in self.page.locator("[onfocus], [onload], [onerror], [onclick]").all():
            self.fail(element.evaluate("one => one.outerHTML"))
        self.assertIsNone(self.page.evaluate("window.ran ?? null"))
        self.assertEqual(self.page.locator("main script:not([type='application/json'])").count(), 0)
        self.assertEqual(self.page.locator("main img, main style, main b[onclick]").count(), 0)

    def test_nothing_runs_in_the_file(self):
        telecap("report", self.path("hostile.telecap"), "-o", self.path("hostile.html"), "--force")
        self.page.goto("file://" + self.path("hostile.html"))
        for folded in self.page.locator("details").all():
            folded.evaluate("part => part.open = true")
        self.check()
        self.assertIn("onerror", self.page.inner_text("main"))

    def test_nothing_runs_in_the_live_pages(self):
        server = Server(self.path("hostile.telecap"))
        try:
            for path in [
                "", "timeline", "packets?where=type%20%3D%20'DIM'", "packets?where=%3Cscript%3Ewindow.ran%3D1%3C%2Fscript%3E",
                "what-if", "what-if?as=%3Cscript%3Ewindow.ran%3D1%3C%2Fscript%3E&network=%22%3E%3Cimg%20src%3Dx%20onerror%3D1%3E",
            ]:
                with self.subTest(path=path):
                    self.page.goto(server.url + path)
                    self.page.wait_for_selector("main h2, main .problem")
                    self.check()
            self.page.goto(server.url + "packets?where=type%20%3D%20'DIM'")
            for _ in range(len(ATTACKS)):
                self.page.keyboard.press("ArrowDown")
            last = self.page.get_attribute("tr[aria-selected=true]", "data-message")
            self.wait_for(f"document.body.dataset.shown === '{last}'")
            self.check()
        finally:
            self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()

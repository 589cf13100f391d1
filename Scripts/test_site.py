import os, sys, tempfile, types, unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# The hook is tested without MkDocs, which only `make site` needs.
exceptions = types.ModuleType("mkdocs.exceptions")
exceptions.PluginError = type("PluginError", (Exception,), {})
sys.modules.setdefault("mkdocs", types.ModuleType("mkdocs"))
sys.modules["mkdocs.exceptions"] = exceptions
import site_hook


class Hook(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        os.makedirs(os.path.join(self.folder.name, "a"))

    def tearDown(self):
        self.folder.cleanup()

    def errors(self, text):
        with open(os.path.join(self.folder.name, "a/page.html"), "w") as file: file.write(text)
        try:
            site_hook.on_post_build({"site_dir": self.folder.name})
        except exceptions.PluginError as error:
            return str(error)

    def test_anchors_are_those_of_github(self):
        self.assertEqual(site_hook.slug("`steps[].ask`, and — more", "-"), "stepsask-and--more")

    def test_files_that_are_missing_are_named(self):
        self.assertEqual(self.errors('<a class="x" href="../b.html#c">'), "a/page.html: there is no file ../b.html")
        self.assertEqual(self.errors('<img alt="" src="d%20e.png" />'), "a/page.html: there is no file d%20e.png")
        self.assertIsNone(self.errors('<a href="page.html#c"><a href="#d"><a href="https://e.org/f"><img src="data:image/png;base64,">'))

    def test_resources_of_other_hosts_are_named(self):
        for target in ["https://e.org/a.js", "//e.org/a.js"]:
            self.assertEqual(self.errors(f'<script src="{target}">'), f"a/page.html: {target} is loaded from another host")

    def test_pages_without_navigation_are_named(self):
        pages = [types.SimpleNamespace(src_path=f"{name}.md", page=name) for name in "ab"]
        files, nav = types.SimpleNamespace(documentation_pages=lambda: pages), types.SimpleNamespace(pages=["a"])
        with self.assertRaisesRegex(exceptions.PluginError, r"nav has no entry for b\.md; add one"):
            site_hook.on_nav(nav, {}, files)
        nav.pages.append("b")
        self.assertIs(site_hook.on_nav(nav, {}, files), nav)


if __name__ == "__main__":
    unittest.main()

import contextlib, importlib.machinery, importlib.util, io, os, sys, tempfile, unittest

sys.dont_write_bytecode = True
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "links")
loader = importlib.machinery.SourceFileLoader("links", PATH)
links = importlib.util.module_from_spec(importlib.util.spec_from_loader("links", loader))
loader.exec_module(links)


class Markdown(unittest.TestCase):
    def test_links_have_their_lines(self):
        text = 'a [b](c.md) ![d](e.png)\n[two\nlines](f.md#g) and [`code`](h.md "title")\n[name]: i.md\n<img src="j.svg">\n'
        self.assertEqual(list(links.links(text)), [(1, "c.md"), (1, "e.png"), (3, "f.md#g"), (3, "h.md"), (4, "i.md"), (5, "j.svg")])

    def test_code_and_other_hosts_are_no_links(self):
        self.assertEqual(list(links.links("`[a](b.md)` ``[`](c.md)`` [d](https://e.org/f.md) [g](mailto:h@i.org)")), [])
        self.assertEqual(list(links.links("[a](b%20c.md)")), [(1, "b c.md")])

    def test_fences_keep_the_lines(self):
        text = links.FENCE.sub(links.blank, "```sh\n# [a](b.md)\n```\n[c](d.md)\n")
        self.assertEqual((list(links.links(text)), links.anchors(text)), ([(4, "d.md")], []))

    def test_anchors_are_those_of_github(self):
        text = "# A `page.md`, in short\n## Same\n## Same\n### 1. The [link](x.md): näher #\n####### none\n"
        self.assertEqual(links.anchors(text), ["a-pagemd-in-short", "same", "same-1", "1-the-link-näher"])


class Tree(unittest.TestCase):
    """The check in a tree of its own."""

    def setUp(self):
        self.root = tempfile.TemporaryDirectory()
        self.old, links.ROOT = links.ROOT, self.root.name
        self.write("README.md", "[all](Documentation/index.md) ![picture](Documentation/a.svg) [back](#title)\n\n# Title\n")
        self.write("Documentation/a.svg", "")
        self.write("Documentation/index.md", "[one](reference/one.md#second-part)\n")
        self.write("Documentation/reference/one.md", "# One\n## Second part\n[two](two.md) [up](../index.md)\n")
        self.write("Documentation/reference/two.md", "# Two\n[folder](../reference)\n")

    def tearDown(self):
        links.ROOT = self.old
        self.root.cleanup()

    def write(self, path, text):
        full = os.path.join(self.root.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file: file.write(text)

    def check(self, *errors):
        with contextlib.redirect_stderr(io.StringIO()) as printed: status = links.main()
        self.assertEqual((status, printed.getvalue().splitlines()), (1 if errors else 0, list(errors)))

    def test_a_tree_without_errors(self):
        self.check()

    def test_a_missing_file(self):
        self.write("README.md", "\n[a](Documentation/two.md)\n[b](Documentation/other.svg)\n")
        self.check('README.md:2: there is no file Documentation/two.md; did you mean "Documentation/reference/two.md"?',
                   "README.md:3: there is no file Documentation/other.svg")

    def test_a_missing_heading(self):
        self.write("README.md", "[a](#titel)\n# Title\n[b](Documentation/reference/one.md#second-prat)\n[c](Documentation/a.svg#x)\n")
        self.check('README.md:1: README.md has no heading "#titel"',
                   'README.md:3: Documentation/reference/one.md has no heading "#second-prat"; did you mean "second-part"?')

    def test_a_page_that_the_index_does_not_reach(self):
        self.write("Documentation/how-to/alone.md", "[index](../index.md)\n")
        self.check("Documentation/how-to/alone.md: no links lead from Documentation/index.md to this page; add one")

    def test_nothing_outside_the_repository(self):
        self.write("SECURITY.md", "[a](../other/README.md)\n")
        self.check("SECURITY.md:1: ../other/README.md is outside the repository")


if __name__ == "__main__":
    unittest.main()

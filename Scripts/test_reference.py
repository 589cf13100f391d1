import contextlib, importlib.machinery, importlib.util, io, json, os, sys, tempfile, unittest

sys.dont_write_bytecode = True
FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
loader = importlib.machinery.SourceFileLoader("reference", os.path.join(FOLDER, "reference"))
reference = importlib.util.module_from_spec(importlib.util.spec_from_loader("reference", loader))
loader.exec_module(reference)


def option(name, abstract, **more):
    return {"kind": "option", "names": [{"kind": "long", "name": name}], "valueName": "n", "abstract": abstract,
            "isRepeating": False, "isOptional": True, **more}


class Text(unittest.TestCase):
    def test_marks_of_markdown_are_escaped(self):
        self.assertEqual(reference.text("a*b* [c](d) <e> f|g _h_ session_id"), r"a\*b\* \[c\](d) \<e\> f\|g \_h\_ session_id")

    def test_options_are_code(self):
        self.assertEqual(reference.text("With --view: no-op; a --long-name."), "With `--view`: no-op; a `--long-name`.")

    def test_examples_are_code_and_text_is_a_paragraph(self):
        lines = list(reference.discussion("One\ntwo.\n\nExample:\n  telecap a \\\n      --b\n"))
        self.assertEqual(lines, ["One two.", "", "Example:", "", "```sh", "telecap a \\", "    --b", "```", ""])


class Pages(unittest.TestCase):
    """The pages of a program of three commands, in a tree of their own."""

    def setUp(self):
        self.root = tempfile.TemporaryDirectory()
        self.old, reference.ROOT = reference.ROOT, self.root.name
        os.makedirs(os.path.join(self.root.name, "Documentation/reference"))
        self.write("Documentation/scenario.schema.json", json.dumps({"required": ["role"], "properties": {
            "role": {"enum": ["a", "b"]},
            "steps": {"type": "array", "items": {"type": "object", "properties": {"at": {"type": "number", "description": "When."}}}}}}))
        self.write("Documentation/reference/scenario-file.md", "# Before\n" + "".join(reference.MARKS) + "After\n")
        everywhere, hidden = option("help", "Help."), option("secret", "Hidden.", shouldDisplay=False)
        commands = [{"commandName": name, "abstract": f"Do {name}.", "arguments": [
            option("own-" + name, "Only here.", isOptional=False), option("loss", "Loss.", sectionTitle="Impairments"), everywhere, hidden]} for name in "abc"]
        self.write("help.json", json.dumps({"command": {
            "commandName": "telecap", "abstract": "Root.", "arguments": [everywhere], "subcommands": commands}}))
        self.write("help.txt", "USAGE: telecap\n\nTEST SUBCOMMANDS:\n  a    Do a.\n       More.\n  b    Do b.\n\nOTHER SUBCOMMANDS:\n  c    Do c.\n")
        self.write("list.json", json.dumps({"requirement": "x.y", "level": "must", "derived": True, "sentence": "It holds.", "source": "S",
                                            "scenarios": [{"id": "x.y.z", "role": "host", "sentence": "", "cases": 1}]}) + "\n")
        self.program = self.write("program", f"""#!/bin/sh
cd '{self.root.name}'
case $1 in --version) echo 1.2 ;; help) cat help.txt ;; conform) cat list.json ;; *) cat help.json ;; esac
""")
        os.chmod(self.program, 0o700)

    def tearDown(self):
        reference.ROOT = self.old
        self.root.cleanup()

    def write(self, path, text):
        path = os.path.join(self.root.name, path)
        with open(path, "w") as file: file.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.root.name, "Documentation/reference", name)) as file: return file.read()

    def run_main(self, *words):
        with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(said):
            return reference.main(list(words)), said.getvalue()

    def test_shared_options_are_described_once(self):
        self.run_main(self.program)
        page = self.read("cli.md")
        self.assertEqual(page.count("| `--loss` | `n` |  | Loss. |"), 1)
        self.assertEqual(page.count("[Impairments](#impairments): `--loss`."), 3)
        self.assertEqual(page.count("| `--help` |"), 1)
        self.assertEqual(page.count("| Only here. Required. |"), 3)
        self.assertNotIn("secret", page)
        self.assertIn("| Test | [`a`](#telecap-a) | Do a. |\n|  | [`b`](#telecap-b) | Do b. |\n| Other | [`c`](#telecap-c) |", page)

    def test_requirements_have_their_scenarios(self):
        self.run_main(self.program)
        self.assertIn("### x.y\n\nIt holds.\n\n- Level: must, inferred by telecap\n- Source: S\n- Scenarios for the role `host`: `x.y.z`\n",
                      self.read("requirements.md"))

    def test_keys_are_between_their_marks(self):
        self.run_main(self.program)
        page = self.read("scenario-file.md")
        self.assertTrue(page.startswith("# Before\n") and page.endswith("After\n"))
        self.assertIn("| `role` (required) | `a`, `b` |  |", page)
        self.assertIn("### `steps[]`\n\n| key | value | meaning |\n|---|---|---|\n| `at` | number | When. |", page)

    def test_a_stale_page_is_named_and_not_written(self):
        self.assertEqual(self.run_main("--check", self.program)[0], 1)
        self.run_main(self.program)
        self.assertEqual(self.run_main("--check", self.program), (0, ""))
        self.write("help.txt", "USAGE: telecap\n\nTEST SUBCOMMANDS:\n  a    Do a.\n")
        page = self.read("cli.md")
        status, said = self.run_main("--check", self.program)
        self.assertEqual((status, self.read("cli.md")), (1, page))
        self.assertIn("Documentation/reference/cli.md is stale: run Scripts/reference", said)


if __name__ == "__main__":
    unittest.main()

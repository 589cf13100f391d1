import contextlib, importlib.machinery, importlib.util, io, os, subprocess, sys, tempfile, unittest

sys.dont_write_bytecode = True
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prose")
loader = importlib.machinery.SourceFileLoader("prose", PATH)
prose = importlib.util.module_from_spec(importlib.util.spec_from_loader("prose", loader))
loader.exec_module(prose)


def found(text, name="a.md"):
    """What is found in a text: pairs of a line and the words."""
    parts = prose.swift(text) if name.endswith(".swift") else [list(enumerate(text.split("\n"), 1))]
    return [(one.line, one.found) for part in parts for block in prose.paragraphs(part) for one in prose.check(name, block)]


class Rows(unittest.TestCase):
    def test_each_row_is_right_about_its_examples(self):
        for word, write, bad, good in prose.WORDS:
            with self.subTest(word):
                self.assertEqual([one.write for one in prose.check("a.md", [(1, bad)])], [write])
                self.assertEqual([one.write for one in prose.check("a.md", [(1, bad.capitalize())])][:1], [write])
                self.assertEqual(list(prose.check("a.md", [(1, good)])), [])

    def test_rows_have_no_group_and_no_upper_case(self):
        for word, _, _, _ in prose.WORDS:
            with self.subTest(word):
                self.assertEqual(prose.re.compile(word).groups, 0)
                self.assertEqual(prose.re.sub(r"\\.", "", word), prose.re.sub(r"\\.", "", word).lower())

    def test_the_second_half_of_a_row(self):
        self.assertEqual(found("The report says that. A program said this. It is tested by the wire alone."),
                         [(1, "report says"), (1, "program said"), (1, "by the wire alone")])

    def test_a_word_is_whole(self):
        self.assertEqual(found("untold, tell-tale, retell"), [])
        self.assertEqual(found("(told)"), [(1, "told")])


class Sentences(unittest.TestCase):
    def test_subjects(self):
        for subject in ["What", "Whatever", "Who", "Whoever", "Whose", "That which"]:
            with self.subTest(subject):
                self.assertIn((1, subject + " …"), found(f"It is. {subject} comes late is dropped."))

    def test_questions_headings_and_other_words_are_no_subjects(self):
        self.assertEqual(found("What is dropped? Whole messages. Whether it is depends on what comes."), [])
        self.assertEqual(found("# What a verdict means\n\nWhat follows:"), [])

    def test_a_sentence_may_have_35_words(self):
        self.assertEqual(found(" ".join(["packets"] * 35) + "."), [])
        self.assertEqual(found(" ".join(["packets"] * 36) + "."), [(1, "packets packets packets packets packets …")])
        self.assertEqual(found(" ".join(["a"] * 35) + "."), [])
        self.assertEqual(len(found(" ".join(["a"] * 36))), 1)

    def test_code_is_no_word_and_a_list_is_read_by_its_items(self):
        self.assertEqual(found(" ".join(["packets"] * 35) + " `a b c d`, `e`."), [])
        self.assertEqual(len(found(" ".join(["packets"] * 35) + " `a b c d` Xen.")), 1)
        self.assertEqual(found(" ".join(["packets"] * 20) + ": " + " ".join(["packets"] * 20) + "."), [])

    def test_sentences_end_at_full_stops_only(self):
        half = " ".join(["packets"] * 20)
        self.assertEqual(found(f"{half}. {half}"), [])
        self.assertEqual(len(found(f"{half} 2.5 {half}")), 1)
        self.assertEqual(len(found(f"{half}, e.g. {half}")), 1)


class Markdown(unittest.TestCase):
    def test_the_line_is_that_of_the_word(self):
        self.assertEqual(found("First it is sent.\nThen it\nis told.\n\n- told\n"), [(3, "told"), (5, "told")])

    def test_code_addresses_and_fences_are_not_read(self):
        self.assertEqual(found("`told` [page](https://told.org/told)\n```\ntold\n```\n\n    told\n"), [])
        self.assertEqual(found("```\ntold\n```\ntold, as [told](x.md)"), [(4, "told"), (4, "told")])

    def test_code_may_go_over_the_end_of_a_line(self):
        self.assertEqual(found("`told\ntold` and `a\nb` is\ntold"), [(4, "told")])

    def test_cells_are_read_one_by_one(self):
        self.assertEqual(found("| `told` | it is told |\n|---|---|\n| What it is. | told |"), [(1, "told"), (3, "What …"), (3, "told")])

    def test_a_word_goes_over_the_end_of_a_line(self):
        self.assertEqual(found("bytes are passed\nover"), [(1, "passed over")])


class Swift(unittest.TestCase):
    def test_comments_and_messages(self):
        text = 'let a = 1 // told\n/// What it is.\nlet told = "the loss is told"\n/* told */'
        self.assertEqual(sorted(found(text, "a.swift")), [(1, "told"), (2, "What …"), (3, "told"), (4, "told")])

    def test_comments_go_on_where_they_are_of_one_kind(self):
        self.assertEqual(found("/// It is passed\n/// over\n", "a.swift"), [(1, "passed over")])
        for text in ["/// It is passed\n// over", "let a = 1 // passed\nlet b = 2 // over", "// passed\n\n// over"]:
            with self.subTest(text):
                self.assertEqual(found(text, "a.swift"), [])

    def test_code_names_and_short_strings_are_not_read(self):
        for text in ['let told = stands', 'let key = "told"', '// `told` is a name', '// MARK: - told',
                     'print("a \\(told("x")) b and c")', 'let sql = "SELECT told FROM the capture"', 'let lua = "told = \\(a), stands = \\(b), it = \\(c)"',
                     '"""\nfunction(told) {\n  return of it;\n}\n"""', '"the key \\"told\\" is unknown"']:
            with self.subTest(text):
                self.assertEqual(found(text, "a.swift"), [])

    def test_text_after_strings_is_read(self):
        for text in ['"\\(a ? "b" : "c\\(d)") e" // told', '#"a " b"# // told', '"""\n" " \\(x("a"))\n""" // told',
                     '"\\\\" // told', '"a // b" // told', 'let q = /"/ // x\n// told', '#"\\"# // told', '#"\\#(a("b"))"# // told']:
            with self.subTest(text):
                self.assertEqual([words for _, words in found(text, "a.swift")], ["told"])

    def test_lines_of_long_strings(self):
        self.assertEqual(found('let a = """\n  It is\n  told at the \\\n  end that it stands\n  """', "a.swift"),
                         [(3, "told"), (4, "stands")])

    def test_broken_code_ends(self):
        for text in ['"', '"""', '"\\(', '/*', '"\\("', '#"', '"\\((((']:
            with self.subTest(text):
                self.assertEqual(found(text, "a.swift"), [])


class Counts(unittest.TestCase):
    """The counts in a tree of its own."""

    def setUp(self):
        self.root = tempfile.TemporaryDirectory()
        self.old, prose.ROOT = prose.ROOT, self.root.name
        for name in ["Scripts", "Documentation/reference", "Sources/A", "Sources/B"]:
            os.makedirs(os.path.join(self.root.name, name))
        self.write("README.md", "It is told.\n")
        self.write("SECURITY.md", "It is sent.\n")
        self.write("Documentation/a.md", "It is told.\nIt stands.\n")
        self.write("Documentation/reference/protocols.md", "It is told.\n")
        self.write("Documentation/reference/cli.md", "<!-- Generated by a script. -->\nIt is told.\n")
        self.write("Sources/A/a.swift", "// told\n")
        self.write("Scripts/prose.known", "Documentation 2\nREADME.md 1\nSources/A 1\n")

    def tearDown(self):
        prose.ROOT = self.old
        self.root.cleanup()

    def write(self, path, text):
        with open(os.path.join(self.root.name, path), "w") as file: file.write(text)

    def read(self, path):
        with open(os.path.join(self.root.name, path)) as file: return file.read()

    def run_main(self, *words):
        with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(said):
            status = prose.main(list(words))
        return status, said.getvalue()

    def git(self, *words):
        subprocess.run(["git", "-C", self.root.name, "-c", "user.name=a", "-c", "user.email=a@b", *words],
                       check=True, capture_output=True)

    def test_known_findings_pass(self):
        self.assertEqual(self.run_main(), (0, ""))

    def test_one_more_fails_and_names_the_files_with_most(self):
        self.write("Documentation/a.md", "It is told.\nIt stands.\nIt is told.\n")
        status, text = self.run_main()
        self.assertEqual(status, 1)
        self.assertEqual(text, "Documentation: 3 findings, Scripts/prose.known allows 2\n"
                               "  Documentation/a.md: 3 (Scripts/prose Documentation/a.md)\n")

    def test_git_names_the_new_one(self):
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "a")
        self.write("Documentation/a.md", "It is told.\nIt is here.\nIt stands.\nIt is told.\n")
        status, text = self.run_main()
        self.assertEqual((status, text.splitlines()[1:]), (1, ['Documentation/a.md:4: "told": write "report, print, pass; distinguish"']))
        self.git("commit", "-qam", "b")
        self.assertEqual(self.run_main(), (status, text))
        self.write("Sources/A/b.swift", "// it stands\n")
        self.assertIn('Sources/A/b.swift:1: "stands": write "is"', self.run_main()[1])

    def test_a_folder_without_a_count_has_none(self):
        self.write("Sources/B/b.swift", "\n// told\n")
        self.assertEqual(self.run_main(), (1, 'Sources/B: 1 findings, Scripts/prose.known allows 0\n'
                                              'Sources/B/b.swift:2: "told": write "report, print, pass; distinguish"\n'))

    def test_fewer_pass_and_ask_for_the_lower_count(self):
        self.write("README.md", "It is sent.\n")
        self.assertEqual(self.run_main(), (0, "README.md: 0 findings, Scripts/prose.known has 1: run Scripts/prose --lower\n"))
        self.assertEqual(self.run_main("--lower"), (0, ""))
        self.assertEqual(self.read("Scripts/prose.known"), "Documentation 2\nSources/A 1\n")

    def test_lower_never_raises_the_sum(self):
        self.write("Sources/A/a.swift", "// told\n\n// told\n")
        self.assertEqual(self.run_main("--lower")[0], 1)
        self.assertEqual(self.read("Scripts/prose.known"), "Documentation 2\nREADME.md 1\nSources/A 1\n")

    def test_code_that_moves_takes_its_findings_with_it(self):
        self.write("Sources/A/a.swift", "")
        self.write("Sources/B/a.swift", "// told\n")
        self.assertEqual(self.run_main()[0], 1)
        self.assertEqual(self.run_main("--lower"), (0, ""))
        self.assertEqual(self.read("Scripts/prose.known"), "Documentation 2\nREADME.md 1\nSources/B 1\n")

    def test_a_row_that_is_none_is_an_error_at_its_line(self):
        self.write("Scripts/prose.known", "Documentation 2\n<<<<<<< HEAD\n")
        with self.assertRaisesRegex(SystemExit, r'^Scripts/prose.known:2: write a folder and a number, such as "Doc'):
            self.run_main()

    def test_findings_are_in_the_order_of_their_lines(self):
        self.write("README.md", "It stands.\nThe wall is beside it.\nIt is told.\n")
        self.assertEqual([one.line for one in prose.findings("README.md")], [1, 2, 3])
        self.write("Sources/A/a.swift", '// told\nlet a = "one is told of it"\n// told\n')
        self.assertEqual([one.line for one in prose.findings("Sources/A/a.swift")], [1, 2, 3])

    def test_paths_print_all_and_a_wrong_one_is_an_error(self):
        self.assertEqual(self.run_main("README.md"), (1, 'README.md:1: "told": write "report, print, pass; distinguish"\n'))
        self.assertEqual(self.run_main("SECURITY.md"), (0, ""))
        with self.assertRaisesRegex(SystemExit, "no such file"): self.run_main("READ.md")


if __name__ == "__main__":
    unittest.main()

"""The parts of Scripts/dist that need no build."""
import datetime
import hashlib
import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dist")
loader = importlib.machinery.SourceFileLoader("dist", path)
dist = importlib.util.module_from_spec(importlib.util.spec_from_loader("dist", loader))
loader.exec_module(dist)

TIME = datetime.datetime(2026, 11, 29, tzinfo=datetime.timezone.utc)


class DistTests(unittest.TestCase):
    def test_the_c_and_c_plus_plus_libraries_are_the_systems(self):
        for name in ("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "linux-vdso.so.1", "ld-linux-x86-64.so.2"):
            self.assertTrue(dist.SYSTEM.match(name), name)
        for name in ("libpcap.so.0.8", "libcap.so.2", "libsqlite3.so.0", "libmount.so.1", "libcrypt.so.1"):
            self.assertFalse(dist.SYSTEM.match(name), name)

    def test_licences_are_known_by_their_texts(self):
        apache = "Apache License\nVersion 2.0, January 2004"
        self.assertEqual(dist.licence(apache), "Apache-2.0")
        self.assertEqual(dist.licence(apache + "\n## Runtime Library Exception"), "Apache-2.0 WITH Swift-exception")
        self.assertEqual(dist.licence("MIT License\nPermission is hereby granted, free of charge, to any person"), "MIT")
        bsd = "Redistribution and use in source and binary forms, with or without modification"
        self.assertEqual(dist.licence(bsd), "BSD-2-Clause")
        self.assertEqual(dist.licence(bsd + "\nNeither the name of the copyright holder"), "BSD-3-Clause")
        self.assertEqual(dist.licence("All rights reserved."), "NOASSERTION")

    def test_the_newest_symbol_decides_and_packed_relocations_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, code in (("a", b"GLIBC_2.9\0GLIBC_2.35\0"), ("b", b"GLIBC_2.34"), ("c", b"GLIBC_2.2\0GLIBC_ABI_DT_RELR")):
                with open(f"{folder}/{name}", "wb") as file:
                    file.write(code)
            self.assertEqual(dist.glibc([f"{folder}/a", f"{folder}/b"]), "2.35")
            self.assertEqual(dist.glibc([f"{folder}/b"]), "2.34")
            with self.assertRaises(SystemExit):
                dist.glibc([f"{folder}/c"])

    def test_each_part_has_an_id_of_its_own_and_is_contained(self):
        bill = dist.bill_of_materials("telecap-1", "1", TIME, [("libpcap0.8", "1.10", "NOASSERTION", "BSD-3-Clause")])
        self.assertEqual([part["SPDXID"] for part in bill["packages"]], ["SPDXRef-telecap", "SPDXRef-libpcap0.8"])
        self.assertIn(
            {"spdxElementId": "SPDXRef-telecap", "relationshipType": "CONTAINS", "relatedSpdxElement": "SPDXRef-libpcap0.8"},
            bill["relationships"])

    def test_the_same_content_gives_the_same_bytes(self):
        digests = []
        for mode in (0o644, 0o600):
            with tempfile.TemporaryDirectory() as folder:
                dist.write(f"{folder}/telecap-1/share/b", "b")
                dist.write(f"{folder}/telecap-1/share/a", "a")
                os.chmod(f"{folder}/telecap-1/share/a", mode)
                dist.archive(f"{folder}/telecap-1", f"{folder}/a.tar.gz", TIME)
                with open(f"{folder}/a.tar.gz", "rb") as file:
                    digests.append(hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(digests[0], digests[1])


if __name__ == "__main__":
    unittest.main()

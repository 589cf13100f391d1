# telecap. `make demo` and `make test` are the first commands of a newcomer: on a fresh Debian machine with Swift and git they do all
# of their own set-up, through apt. `make setup` does nothing else. No other target installs anything: where a package is missing it
# ends with its name and the `make setup` that installs it. On macOS nothing is installed: what is missing is named.
SWIFT ?= swift
PREFIX ?= /usr/local
RELEASE := .build/release/telecap
STATIC := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
# A program that may be loaded anywhere lists every address in it: packed, where the C library reads that (glibc 2.36), the
# list takes 22 kB in place of 2.6 MB, which each start would read.
PACKED := $(shell printf 'glibc 2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION 2>/dev/null)" | sort -VC && \
  echo -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)

# Backtraces need functions and lines, not the variables: their description is half of the debug information.
LINES := -Xswiftc -gline-tables-only

.PHONY: help setup needs build release install dist test-dist demo test fast check-deep test-python test-scripts test-web check lint strict captures reference site bench fuzz sanitize sanitize-address torture mutants clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: ## installs what is missing (apt), or names it (Homebrew), for the build; FOR="test bench web site": for these too
	@Scripts/setup $(FOR)

# What the build needs is there.
needs: $(filter setup,$(MAKECMDGOALS))
	@Scripts/setup --check

build: needs ## debug build
	$(SWIFT) build

release: needs ## optimised build: .build/release/telecap
	$(SWIFT) build -c release --product telecap $(STATIC) $(PACKED) $(LINES)

install: release ## without debug information, which stays next to the build (telecap.debug), into PREFIX (/usr/local): bin/telecap, its scenarios, man pages and completions for bash, zsh and fish
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/telecap
	Scripts/strip $(RELEASE) $(DESTDIR)$(PREFIX)/bin/telecap
	cp -R Scenarios Captures $(DESTDIR)$(PREFIX)/share/telecap/
	Scripts/manpages $(RELEASE) $(DESTDIR)$(PREFIX)/share/man/man1
	Scripts/completions $(RELEASE) $(DESTDIR)$(PREFIX)/share

# The libraries of the tarball are found next to its program. Packed relocations would need a newer C library.
NEXT_TO_IT := -Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker '$$ORIGIN/../lib/telecap'
dist: needs ## a tarball that runs where it is unpacked, with its libraries, its checksum and a list of its parts (SPDX): .build/dist; Linux only
	$(SWIFT) build -c release --product telecap $(STATIC) $(if $(PACKED),-Xswiftc -use-ld=lld) $(LINES) $(NEXT_TO_IT)
	@SWIFT='$(SWIFT)' Scripts/dist $(RELEASE) .build/dist

test-dist: dist ## unpacks the tarball elsewhere and uses it there; CHROOT=1: also in a new Debian, as root (debootstrap)
	@Scripts/test-dist $(if $(CHROOT),--chroot) .build/dist/*.tar.gz

# Optimised modules take a third of the build, and pay only in the tests: a clone whose tests were not built does without.
demo: ## records, dissects, replays with loss and tests the result, on loopback, with a debug build
	@Scripts/setup
	TELECAP_OPTIMIZED=$$([ -e .build/debug/telecapPackageTests.xctest ] && echo hot || echo none) $(SWIFT) build --product telecap
	@Scripts/demo .build/debug/telecap

test fast check-deep: export SWIFT_BACKTRACE = enable=no
test: ## the fast and the real tests; TELECAP_DEEP=3/8 also runs the third of eight parts of the deep ones
	@Scripts/setup test
	$(SWIFT) build --build-tests
	@SWIFT='$(SWIFT)' Scripts/test

fast: needs ## the fast tests: in process, without sockets, programs or the wall clock
	$(SWIFT) build --build-tests
	@SWIFT='$(SWIFT)' TELECAP_TIERS=fast Scripts/test

check-deep: needs ## every test and check that takes long, some hours; PART=3/8: the checks next to that part of the deep tests
	@SWIFT='$(SWIFT)' Scripts/deep $(PART)

test-python: ## the Python package, against the libraries it is for; PROGRAM=telecap, that of the debug build unless given
	@Scripts/test-python $(or $(PROGRAM),.build/debug/telecap)

test-web: needs ## the pages of view and report in a real browser (Debian's chromium), by Playwright
	$(SWIFT) build --product telecap
	@Scripts/test-web .build/debug/telecap $(TESTS)

test-scripts: ## the tests of Scripts/prose, links, reference and site, and of the benchmark's runner: rows that fail, limits, children that are left; needs no telecap
	@python3 -B -m unittest discover Scripts
	@python3 -B -m unittest discover Benchmarks

lint: ## formatting, words that the glossary bans, in pages, comments and messages, and broken links between pages
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift Benchmarks/Package.swift Benchmarks/Sources
	@Scripts/prose
	@Scripts/links

strict: export TELECAP_STRICT = 1
strict: needs ## the build of `make check`: warnings are errors in our own targets, and in the benchmark that uses them
	$(SWIFT) build --build-tests
	$(SWIFT)c -typecheck -warnings-as-errors -swift-version 6 -I .build/debug/Modules \
	  -I Sources/CYAML $$(pkg-config --cflags yaml-0.1) Benchmarks/Sources/virtual-run/main.swift

check: export TELECAP_STRICT = 1
check: lint test-scripts strict test ## before each commit: formatting, warnings as errors, the fast and the real tests, from one build

reference: build ## writes the pages of the reference that follow from the program's help and lists, with the debug build
	@Scripts/reference .build/debug/telecap

site: ## the documentation as static pages with search, by MkDocs: .build/site; FOR="site" of make setup installs it
	@Scripts/setup --check site
	@Scripts/site

captures: release ## records Captures/ again
	@Scripts/captures $(RELEASE)

bench: release ## speed next to peers and limits, as ratios of one run; ROWS="relay record": these rows; JSON=file; OLD=telecap: next to that one
	@Scripts/setup --check bench
	@SWIFT='$(SWIFT)' Benchmarks/run $(RELEASE) $(OLD) $(if $(ROWS),--rows $(ROWS)) $(if $(JSON),--json '$(JSON)')

fuzz: needs ## each reader of foreign bytes under libFuzzer and AddressSanitizer, TIME=60 seconds each; TARGETS=those named
	@SWIFT='$(SWIFT)' TIME=$(or $(TIME),60) SEED=$(SEED) Scripts/fuzz $(TARGETS)

sanitize: needs ## ThreadSanitizer over the tests of the modules with threads; TESTS='TelecapReplayTests' over others
	@SWIFT='$(SWIFT)' Scripts/sanitize thread $(or $(TESTS),TelecapLoopTests TelecapStoreTests TelecapCaptureTests TelecapTransportTests)

sanitize-address: needs ## AddressSanitizer over all tests but those that run the program; TESTS='TelecapStoreTests' over others
	@SWIFT='$(SWIFT)' Scripts/sanitize address $(TESTS)

torture: release ## a soak of TIME=600 s, SEEDS=1000 seeds, right programs on a busy machine; PARTS=those named
	@Scripts/torture $(PARTS)

mutants: needs ## the suite against thousands of wrong systems, made from right ones: the score, and who survived
	$(SWIFT) build -c release --product mutants $(PACKED)
	.build/release/mutants --jobs 2

clean: ## removes what was built
	rm -rf .build .build-fuzz .build-tsan .build-asan

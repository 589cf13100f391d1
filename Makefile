# telecap. `make demo` and `make test` do all of their own set-up on a fresh Debian machine with Swift and git;
# on macOS `make setup` says what Homebrew needs.
SWIFT ?= swift
PREFIX ?= /usr/local
RELEASE := .build/release/telecap
STATIC := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
# A program that may be loaded anywhere lists every address in it: packed, where the C library reads that (glibc 2.36), the
# list takes 22 kB in place of 2.6 MB, which each start would read.
PACKED := $(shell printf 'glibc 2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION 2>/dev/null)" | sort -VC && \
  echo -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)

.PHONY: help setup build release install demo test test-python test-web check lint strict captures bench fuzz sanitize sanitize-address torture mutants clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: ## installs what the build needs (apt), or says what Homebrew needs
	@Scripts/setup

build: setup ## debug build
	$(SWIFT) build

release: setup ## optimised build: .build/release/telecap
	$(SWIFT) build -c release --product telecap $(STATIC) $(PACKED)

install: release ## into PREFIX (/usr/local): bin/telecap, its scenarios, man pages and completions for bash, zsh and fish
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/telecap
	install -m 755 $(RELEASE) $(DESTDIR)$(PREFIX)/bin/telecap
	cp -R Scenarios Captures $(DESTDIR)$(PREFIX)/share/telecap/
	Scripts/manpages $(RELEASE) $(DESTDIR)$(PREFIX)/share/man/man1
	Scripts/completions $(RELEASE) $(DESTDIR)$(PREFIX)/share

demo: release ## records, dissects, replays with loss and judges, on loopback, in under a minute once it is built
	@Scripts/demo $(RELEASE)

# Programs that are judged on the wall clock get the machine to themselves: beside hundreds of other tests on two cores
# they would answer later than the rules allow.
TIMED := JudgedRelayTests|RealSystemTests|ProgramSystemTests|SimulatedSystemsTests|DoingTests|LearnTests|RelayNetworkTests|FollowedCaptureTests|LiveSensesTests

test: export SWIFT_BACKTRACE = enable=no
# The suite runs thousands of times in the tests: its rooms are optimised there (Package.swift).
test test-web: export TELECAP_OPTIMIZED = 1
test: setup ## every test
	@Scripts/setup test
	$(SWIFT) build --build-tests
	@SWIFT='$(SWIFT)' Scripts/test --skip '$(TIMED)'
	@SWIFT='$(SWIFT)' Scripts/test --no-parallel --filter '$(TIMED)'

test-python: ## the Python package, against the libraries it is for; PROGRAM=telecap, that of the debug build unless given
	@Scripts/test-python $(or $(PROGRAM),.build/debug/telecap)

test-web: setup ## the pages of view and report in a real browser (Debian's chromium), by Playwright
	$(SWIFT) build --product telecap
	@Scripts/test-web .build/debug/telecap $(TESTS)

lint: ## formatting
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift Benchmarks/Package.swift Benchmarks/Sources

strict: setup ## warnings as errors in our own targets, and in the benchmark that uses them
	TELECAP_STRICT=1 $(SWIFT) build --scratch-path .build-strict
	$(SWIFT)c -typecheck -warnings-as-errors -swift-version 6 -I .build-strict/debug/Modules \
	  -I .build-strict/checkouts/Yams/Sources/CYaml/include Benchmarks/Sources/virtual-run/main.swift

check: lint strict test ## all that CI checks

captures: release ## records Captures/ again
	@Scripts/captures $(RELEASE)

bench: release ## speed beside peers and limits, as ratios of one run; OLD=telecap: beside that one, in turns
	@Scripts/setup bench
	@Benchmarks/run $(RELEASE) $(OLD)

fuzz: setup ## each reader of foreign bytes under libFuzzer and AddressSanitizer, TIME=60 seconds each; TARGETS=those named
	@SWIFT='$(SWIFT)' TIME=$(or $(TIME),60) SEED=$(SEED) Scripts/fuzz $(TARGETS)

sanitize: setup ## ThreadSanitizer over the tests of the rooms with threads; TESTS='^TelecapReplayTests' over others
	@SWIFT='$(SWIFT)' TIMED='$(TIMED)' Scripts/sanitize thread '$(or $(TESTS),^TelecapLoopTests|^TelecapStoreTests|^TelecapCaptureTests|^TelecapTransportTests)'

sanitize-address: setup ## AddressSanitizer over all tests but those that run the built program, half an hour; TESTS='^TelecapStoreTests' over others
	@SWIFT='$(SWIFT)' TIMED='$(TIMED)' Scripts/sanitize address $(if $(TESTS),'$(TESTS)')

torture: release ## kill -9, faults of SQLite and of devices, a soak of TIME=600 s, 1,000 seeds, right programs on a busy machine; PARTS=those named
	TELECAP_OPTIMIZED=1 $(SWIFT) build --build-tests
	@SWIFT='$(SWIFT)' Scripts/torture $(PARTS)

mutants: setup ## the suite against thousands of wrong systems, made from right ones: the score, and who survived
	$(SWIFT) build -c release --product mutants $(PACKED)
	.build/release/mutants --jobs 2

clean: ## removes what was built
	rm -rf .build .build-strict .build-fuzz .build-tsan .build-asan

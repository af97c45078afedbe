# make run FILE=cases/tutorial/first.c   install what is missing, build, check a program
# make test                              install what is missing, build, look at style, run all tests
.PHONY: run test setup build bench compare grid conform lint clean dist world

FILE ?= cases/tutorial/first.c
PROGRAM = target/release/heapproof
# How many generated programs `make compare` runs against AddressSanitizer.
PROGRAMS ?= 2000
# What `make conform` runs: csmith's seeds, which part of all tests, tests at a time, other options.
CSMITH ?= 2000
SLICE ?= 1/1
JOBS ?= $(shell nproc)
CONFORM ?=

run: build
	@$(PROGRAM) check $(FILE); status=$$?; [ $$status -ne 2 ] || exit 2

build: setup
	@cargo build --release --quiet --package heapproof

test: lint
	# Documents have no tests of their own, and looking for some takes half a minute.
	cargo test --workspace --release --tests
	# Built with the same features as the tests, or half of the workspace would be built anew.
	cargo build --workspace --release --lib --bins --tests
	@./scripts/conform --csmith 0..160 --slice 7/80 --jobs 2

# Compiler, LLVM, sanitizers, 32 bit headers and the solver.
setup:
	@./scripts/setup

# What is measured and how: bench/README.md
bench: build
	@./bench/run
	@./bench/growth

# Random programs: our interpreter against clang's AddressSanitizer, with gcc as second opinion.
compare: build
	@cargo build --release --quiet --package heapproof-progen
	@target/release/progen-compare --heapproof $(PROGRAM) --second gcc --seeds 0..$(PROGRAMS)

# Suites that others wrote, and csmith's random programs: clang and gcc against `run` and `check`. conformance/README.md
conform: build
	@cargo build --release --quiet --package heapproof-conform
	@./scripts/conform --csmith 0..$(CSMITH) --slice $(SLICE) --jobs $(JOBS) $(CONFORM)

# Every type in every position: our interpreter against clang and gcc.
grid: build
	@cargo build --release --quiet --package heapproof-progen
	@target/release/progen-grid --heapproof $(PROGRAM)
	@target/release/progen-grid --heapproof $(PROGRAM) --ilp32

# One directory with all that is needed, and a smoke test.
dist: build
	@./scripts/dist

# What depends on the world outside: Microsoft's Multitool, BenchExec, a browser.
world: build
	@./scripts/world

# In the profile of the tests, so that what they build is used.
lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --release -- -D warnings

clean:
	cargo clean

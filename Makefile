# make run FILE=cases/tutorial/first.c   install what is missing, build, check a program
# make test                              install what is missing, build, look at style, run all tests
.PHONY: run test setup build bench compare lint clean

FILE ?= cases/tutorial/first.c
PROGRAM = target/release/heapproof
# How many generated programs `make compare` runs against AddressSanitizer.
PROGRAMS ?= 2000

run: build
	@$(PROGRAM) check $(FILE); status=$$?; [ $$status -ne 2 ] || exit 2

build: setup
	@cargo build --release --quiet --package heapproof

test: lint
	cargo test --workspace --release

# Compiler, LLVM, sanitizers, 32 bit headers and the solver.
setup:
	@./scripts/setup

# What is measured and how: bench/README.md
bench: build
	@./bench/run
	@./bench/growth

# Random programs: our interpreter against clang's AddressSanitizer.
compare: build
	@cargo build --release --quiet --package heapproof-progen
	@target/release/progen-compare --heapproof $(PROGRAM) --seeds 0..$(PROGRAMS)

# In the profile of the tests, so that what they build is used.
lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --release -- -D warnings

clean:
	cargo clean

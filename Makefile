# `make help` lists the targets.

CARGO ?= cargo
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Crates that also run in the browser. Those that exist are checked.
WASM_CRATES := rules checker threats search player
WASM_TARGET := wasm32-unknown-unknown

# What the tests need beside cargo. The C compiler is there to link and for SQLite;
# a search over the network is tested with a real server.
DEBIAN_PACKAGES := gcc libc6-dev nats-server

# How long each fuzz target runs, and how many cases each property test of a soak
# gets.
FUZZ_SECONDS ?= 30
SOAK_CASES ?= 20000
SOAK_FUZZ_SECONDS ?= 600

existing_wasm_crates := $(strip $(foreach crate,$(WASM_CRATES),$(if $(wildcard crates/$(crate)/Cargo.toml),$(crate))))

# cargo uses all cores by itself, and the steps of `test` come in order.
.NOTPARALLEL:
.PHONY: help run test lint fmt unit doc wasm bench fuzz soak install-deps

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: ## Build the program and draw a position
	@$(CARGO) build --quiet --release --bin lambda6
	@target/release/lambda6 show 'j10 i8h9 k11l10'

test: install-deps lint unit doc wasm ## Install what the tests need and run them all
	@echo "== all tests passed"

lint: ## Check the formatting and deny the compiler's and clippy's warnings
	@echo "== formatting"
	@$(CARGO) fmt --all --check
	@echo "== clippy"
	@$(CARGO) clippy --quiet --workspace --all-targets -- -D warnings

fmt: ## Format the code
	@$(CARGO) fmt --all

unit: ## Run the tests, those in the documentation too
	@echo "== tests"
	@$(CARGO) test --quiet --workspace

doc: ## Build the documentation and deny its warnings
	@echo "== documentation"
	@RUSTDOCFLAGS="-D warnings" $(CARGO) doc --quiet --no-deps --workspace --document-private-items

wasm: ## Build for wasm32 what also runs in the browser
	@echo "== $(WASM_TARGET): $(existing_wasm_crates)"
	@$(CARGO) build --quiet --no-default-features --target $(WASM_TARGET) $(addprefix --package lambda6-,$(existing_wasm_crates))

bench: ## Run the benchmarks
	@$(CARGO) bench --workspace

fuzz: ## Run each fuzz target for FUZZ_SECONDS
	@if [ ! -d fuzz ]; then echo "there are no fuzz targets"; exit 0; fi; \
	command -v cargo-fuzz >/dev/null || $(CARGO) install --quiet --locked cargo-fuzz; \
	rustup toolchain list | grep -q ^nightly || rustup toolchain install nightly --profile minimal; \
	for target in $$(cargo +nightly fuzz list); do \
		echo "== fuzz $$target, $(FUZZ_SECONDS) s"; \
		mkdir -p fuzz/corpus/$$target fuzz/seeds/$$target; \
		cargo +nightly fuzz run $$target fuzz/corpus/$$target fuzz/seeds/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=10 -verbosity=0; \
	done

soak: ## Run the property tests with SOAK_CASES cases, then the fuzz targets for long
	@PROPTEST_CASES=$(SOAK_CASES) SIMULATE_SEEDS=10000 STORE_KILLS=1000 $(CARGO) test --quiet --workspace
	@$(MAKE) fuzz FUZZ_SECONDS=$(SOAK_FUZZ_SECONDS)

install-deps: ## Install the packages and the compiler target that the tests need
	@echo "== dependencies"
	@if command -v dpkg-query >/dev/null; then \
		missing=(); \
		for package in $(DEBIAN_PACKAGES); do \
			dpkg-query -W -f '$${Status}' "$$package" 2>/dev/null | grep -q 'install ok installed' \
				|| missing+=("$$package"); \
		done; \
		if [ $${#missing[@]} -gt 0 ]; then \
			echo "installing $${missing[*]}"; \
			sudo=(); [ "$$(id -u)" -eq 0 ] || sudo=(sudo); \
			"$${sudo[@]}" apt-get update -qq; \
			DEBIAN_FRONTEND=noninteractive "$${sudo[@]}" apt-get install -qq -y "$${missing[@]}"; \
		fi; \
	fi
	@if command -v rustup >/dev/null; then \
		rustup target list --installed | grep -qx $(WASM_TARGET) || rustup target add $(WASM_TARGET); \
	fi

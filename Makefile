PREFIX ?= /usr/local
export PKG_CONFIG_PATH := $(PREFIX)/lib/pkgconfig:$(PKG_CONFIG_PATH)

SAMPLES := $(PREFIX)/share/pocketsphinx/samples
BUILD := swift build
RELEASE := $(BUILD) -c release
SOURCES := Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources
# What `make bench` measures: with BENCH_AUDIO, a folder that holds dev/manifest.tsv, make-long.py and nonspeech, all there
# is; without it what can be told by the samples that `make setup` brought. BENCH_OPTIONS chooses and shortens it, such as
# '--only clips,long --clips 20 --minutes 10'.
BENCH_AUDIO ?=
BENCH_OPTIONS ?=

.PHONY: help setup build demo check test soak install lint format bench docs clean

help: ## Shows this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## Installs what Longhand stands on (Debian packages, PocketSphinx)
	@PREFIX=$(PREFIX) Scripts/setup

build: setup ## Builds the release
	$(RELEASE)

demo: build ## Transcribes a real recording, with times
	@$$($(RELEASE) --show-bin-path)/longhand transcribe --format vtt \
	  $(SAMPLES)/librivox/sense_and_sensibility_01_austen_64kb-0870.wav

check: lint ## Checks the style, builds, and runs the tests that need nothing but this process
	$(BUILD) --build-tests
	@LONGHAND_TESTS=check Scripts/test

test: setup ## Builds, and runs every test in its short form
	@PREFIX=$(PREFIX) Scripts/test-dependent --resolve-only
	$(BUILD) --build-tests
	@Scripts/test

soak: setup ## Builds, and runs every test in full, for hours
	@PREFIX=$(PREFIX) Scripts/test-dependent
	$(BUILD) --build-tests
	@LONGHAND_TESTS=soak Scripts/test

install: build ## Installs longhand under PREFIX (and DESTDIR)
	@products=$$($(RELEASE) --show-bin-path) && \
	install -D -m 755 "$$products/longhand" "$(DESTDIR)$(PREFIX)/bin/longhand" && \
	install -D -m 755 "$$products/speech-service" "$(DESTDIR)$(PREFIX)/libexec/longhand/speech-service"

bench: build ## Measures accuracy, speed, memory and latency, beside PocketSphinx's own program
	swift run -c release --package-path Benchmarks LonghandBenchmarks \
	  --longhand "$$($(RELEASE) --show-bin-path)/longhand" --pocketsphinx "$(PREFIX)/bin/pocketsphinx" \
	  --samples "$(SAMPLES)/librivox" --audio "$(BENCH_AUDIO)" $(BENCH_OPTIONS)

docs: setup ## Builds the documentation into .build/docs
	$(BUILD) --target Longhand
	@Scripts/docs

lint: ## Checks the style, and that folders depend on each other one way
	@Scripts/check-folders Sources/Longhand Sources/LonghandCommand Sources/LonghandServer
	swift format lint --strict --recursive --parallel $(SOURCES)

format: ## Mends the style
	swift format --in-place --recursive --parallel $(SOURCES)

clean: ## Removes what was built
	rm -rf .build Benchmarks/.build

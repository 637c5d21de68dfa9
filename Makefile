# All tasks of this project. 'make help' lists them.
.DEFAULT_GOAL := help
.PHONY: help setup build controller stop run demo rings bench bench-engine bench-failover bench-proof bench-rate bench-control bench-schedule bench-granularity bench-size bench-ovs bench-dpdk bench-afxdp soak bench-docs experiments simulate ovs lint unit test test-long test-ovs test-ovs-suite ovs-series test-cluster test-netbox test-clients test-packages test-image test-upgrade release fuzz fuzz-requests docs lighthouse picture packages image dist clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "  make %-17s %s\n", $$1, $$2 }'

setup: ## install what building and running need (packages need root)
	@scripts/setup

build: ## build the distribution into karaf/target/assembly
	@scripts/build

controller: setup build ## set up, build and start the controller in the background
	@scripts/controller start

stop: ## stop the controller and the virtual fabrics
	@if [ -d /run/daqlab/fabrics ]; then lab/daqlab down; fi
	@scripts/controller stop

run: setup build rings ## the demo on a virtual fabric, which stays up until Ctrl-C
	@scripts/with-controller lab/demo --stay || [ $$? = 130 ] # Ctrl-C ends it

demo: setup build rings ## the demo, then cleanup; fails if anything did not work
	@scripts/with-controller lab/demo

bench: bench-engine bench-rate build ## measure engine, rule rate, repairs and runs, twenty minutes; writes docs/benchmarks.md
	@scripts/with-controller lab/bench

bench-engine: setup ## measure the engine alone (JMH), a quarter of an hour
	@scripts/bench-engine

bench-rate: setup ## measure how fast rules are written into a real switch, against ovs-ofctl --bundle; needs root
	@scripts/bench-rate

bench-proof: setup build ## measure what proof by packets costs at the size of ATLAS and when it notices a dead link, an hour; needs root
	@scripts/bench-proof

bench-failover: setup build ## measure outages at failures and repairs, half an hour
	@scripts/with-controller lab/bench-failover

bench-schedule: setup build ovs ## measure event building by nodes that do both: free, with daqrings, in phases; ten minutes
	@scripts/with-controller lab/bench-schedule
	@lab/bench-docs schedule

bench-granularity: setup build ovs ## measure event traffic by granularity dcm and pod, where whole DCMs do not fit; ten minutes
	@scripts/with-controller lab/bench-granularity
	@lab/bench-docs granularity

bench-control: setup build ovs ## measure how long requests of a supervisor take beside full event traffic; ten minutes
	@scripts/with-controller lab/bench-control
	@lab/bench-docs control

bench-size: setup build ## measure at the size of ATLAS and LHCb with simulated switches, half an hour
	@scripts/bench-size

soak: setup build ## half an hour of random faults of simulated switches; fails if the controller grows; then kills it thirty times
	@scripts/soak
	@MAVEN_ARGS=-Dkill.count=30 scripts/test it "KillIT#whatIsAnsweredSurvives"

rings: # daqrings if they can be built
	@scripts/ovs || echo "Open vSwitch with daqrings could not be built (above): going on without"

ovs: ## build Open vSwitch with daqrings, two minutes the first time (docs/daqring.md)
	@scripts/ovs

bench-ovs: ovs ## measure daqrings, a minute
	@ovs/bench

bench-dpdk: ## measure daqrings at real packet rates, packets from memory by DPDK, five minutes; needs root and two processors
	@scripts/ovs dpdk
	@ovs/bench-dpdk

bench-afxdp: ## measure AF_XDP ports against kernel ports between veth pairs, two minutes; needs root and two processors
	@scripts/ovs dpdk
	@ovs/bench-afxdp

bench-docs: ## write docs/benchmarks.md from the numbers in docs/benchmarks
	@lab/bench-docs

experiments: setup build ovs ## repeat the thesis's evaluation, an hour; writes docs/experiments.md
	@scripts/experiments

simulate: setup ## simulate the thesis's figures and farms of 1120 and 2000 DCMs packet by packet, an hour; writes docs/simulation.md
	@scripts/simulate

lint: ## check the sources of all languages, two minutes; fails on any finding
	@scripts/lint

unit: ## unit tests only
	@scripts/test unit

test: ## all checks and tests: lint and unit (Java, Python), then integration; prints where the time went
	@scripts/test

test-long: setup ## what takes long, before a release: all faults, edits and cuts, thirty changes of controllers, soaks; three hours
	@scripts/test long

test-ovs: ## tests of the daqrings on a real ovs-vswitchd, of both versions of Open vSwitch
	@scripts/test ovs

test-ovs-suite: ## Open vSwitch's own tests without and with daqrings, both versions, two hours
	@scripts/ovs-suite

ovs-series: ## the daqrings as mails to Open vSwitch's developers, in target/ovs-series
	@scripts/ovs-series

test-cluster: setup ## tests of three controllers that fail under traffic, three quarters of an hour
	@scripts/test cluster

test-netbox: ## tests of daqfabric-inventory against a real NetBox, two minutes, and ten once to bring it
	@scripts/test netbox

test-clients: setup build ## tests with Prometheus 3, and Ansible's modules for RESTCONF; two minutes, and ten once to bring them; needs Go
	@scripts/test clients

test-upgrade: setup build ## tests of upgrades from the last release under traffic, one controller and three, ten minutes
	@scripts/test upgrade

release: ## make a release of what is committed: version, changelog, tag (CONTRIBUTING.md); NEXT=1.0.0 is the version after it
	@scripts/release $(NEXT)

fuzz: setup ## random faults and edits of fabrics in memory, with fresh seeds, for MINUTES=10; fails on any find
	@scripts/fuzz $(or $(MINUTES),10) $(SEED) || [ $$? = 130 ] # Ctrl-C ends it

fuzz-requests: setup build ## RESTCONF requests and rpcs with fresh seeds against a real fabric, for MINUTES=60; needs root, fails on any find
	@scripts/fuzz-requests $(or $(MINUTES),60) $(SEED)

docs: ## build the documentation site into target/site
	@scripts/docs

lighthouse: ## let Lighthouse look at some pages of the documentation; fails below 95 for accessibility or best practices
	@scripts/docs lighthouse

picture: setup ## draw docs/architecture.svg, the packages and what they use, from the code
	@. .cache/env.sh && JAVA_HOME="$$DAQ_JDK" "$$DAQ_MVN" -o -q -pl yang,api,impl -am test -Dtest=ArchitecturePictureTest -Dsurefire.failIfNoSpecifiedTests=false -Ddaqfabric.picture=write

packages: setup build ## Debian packages for this Debian in target/packages (docs/install.md)
	@scripts/packages

test-packages: setup build ## tests of the Debian packages on machines with nothing but Debian, three minutes; needs root
	@scripts/test-packages

image: setup build ## an OCI image of the controller in target/image (docs/install.md); needs root
	@scripts/image

test-image: setup build ## tests of the image: three controllers in containers of podman, four minutes; needs root
	@scripts/test-image

dist: ## the distribution as karaf/target/daqfabric-karaf-*.tar.gz, with the list of its parts (CycloneDX)
	@scripts/build -Pdist

clean: ## stop what runs and remove what was built; .cache/ stays
	@$(MAKE) --no-print-directory stop || true
	rm -rf target yang/target api/target impl/target features/target features/*/target karaf/target it/target it/*/target

SHELL := /bin/bash
# The Node that the lockfile pins (tools/node); on a platform that it has none for, the one on PATH, which must be 24 or newer.
NODE = $(shell [ -x node_modules/.bin/node ] && echo node_modules/.bin/node || echo node)
# Each program is compiled once, not at each start: an operator starts in about half the time.
export NODE_COMPILE_CACHE ?= $(CURDIR)/.cache/compile
# With REPORTS=<folder>, each suite leaves its JUnit report there.
vitest = $(NODE) node_modules/vitest/vitest.mjs run $(if $(REPORTS),--reporter=default --reporter=junit --outputFile.junit=$(REPORTS)/$@.xml)

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-14s %s\n", $$1, $$2 }'

# npm writes this file at the end of an install; older than the lock file means that the install is not the locked one.
node_modules/.package-lock.json: package.json package-lock.json
	npm ci --loglevel=error
	@touch $@

.PHONY: binaries
binaries: node_modules/.package-lock.json ## Find or build etcd, kube-apiserver, kubectl and nats-server
	@$(NODE) tools/binaries/main.ts

.PHONY: run
run: node_modules/.package-lock.json ## Start everything locally, show a real quote; Ctrl-C stops it
	@$(NODE) tools/stack/main.ts run

.PHONY: up
up: node_modules/.package-lock.json ## The same in the background; returns when a quote works
	@$(NODE) tools/stack/main.ts up

.PHONY: down
down: node_modules/.package-lock.json ## Stop what "make run" or "make up" started
	@$(NODE) tools/stack/main.ts down

.PHONY: demo-promotion
demo-promotion: node_modules/.package-lock.json ## Staging and production side by side: one figure walks through both; `STAY=1` keeps them up
	@$(NODE) tools/promotion-demo/main.ts $(if $(STAY),--stay)

.PHONY: clean
clean: down ## Stop the stack and forget its data
	rm -rf .run

.PHONY: test
test: node_modules/.package-lock.json binaries ## Every test that needs no cluster with nodes
	@$(NODE) tools/binaries/main.ts helm kube-controller-manager
	$(vitest)

.PHONY: quick
quick: node_modules/.package-lock.json ## The tests that need no server, in under a minute: few draws of each property, over some rate sets
	$(NODE) node_modules/vitest/vitest.mjs run --config vitest.quick.config.ts

.PHONY: simulate
simulate: node_modules/.package-lock.json ## The programs in a simulated cluster, seed after seed, then with mutants; `SECONDS=600 SEED=…`
	@SECONDS=$(or $(SECONDS),60) SEED=$(SEED) KEEP=$(if $(KEEP),'$(KEEP)') $(NODE) test/simulation/explore/main.ts

.PHONY: e2e
e2e: node_modules/.package-lock.json ## The images and the charts on a real cluster with nodes; needs a Docker engine
	@docker version >/dev/null || { echo "make e2e needs a Docker engine that answers: docker version"; exit 1; }
	@$(NODE) tools/binaries/main.ts kind helm kubectl nats-server
	$(vitest) --config vitest.e2e.config.ts

.PHONY: bench
bench: node_modules/.package-lock.json binaries ## Speed, beside other engines and a bare server; `NAMES=http` for one of them
	@$(NODE) bench/main.ts $(NAMES)

.PHONY: pictures
pictures: node_modules/.package-lock.json ## The pictures of docs/explorer.md and README.md, by a real Chromium, in docs/pictures/
	@$(NODE) tools/pictures/main.ts $(TO)

.PHONY: generate
generate: node_modules/.package-lock.json ## Write the generated files anew: manifests, reference pages, coverage
	$(NODE) crds/generate.ts
	$(NODE) cli/main.ts coverage --write docs/coverage.md
	$(NODE) cli/main.ts coverage --published --write docs/published-examples.md

.PHONY: integration
integration: node_modules/.package-lock.json ## A typed client package, the evaluator and collections for API clients, in dist/
	@$(NODE) tools/integration/main.ts dist

.PHONY: images
images: node_modules/.package-lock.json ## The three images; `REGISTRY=registry.example.com/team PUSH=1` pushes them
	@$(NODE) tools/release/main.ts images

.PHONY: release
release: node_modules/.package-lock.json ## Charts, images, the command, SBOMs, checksums and provenance, in dist/; `REGISTRY=… PUSH=1 SIGN_KEY=…`
	@$(NODE) tools/release/main.ts release

.PHONY: contract
contract: node_modules/.package-lock.json ## The running APIs against their specifications, by generated requests; `NAMES=inventory` for one
	@REPORTS=$(REPORTS) $(NODE) tools/contract/main.ts $(NAMES)

.PHONY: mutants
mutants: node_modules/.package-lock.json ## A mistake in every figure, date, condition and share of every rate set; `SETS=AU_VIC-2027` for one
	@SETS=$(SETS) $(NODE) tools/mutants/main.ts

# Every edit takes hours; EDITS=50 takes so many of each set.
.PHONY: told
told: node_modules/.package-lock.json ## Every edit of every field of every rate set: what moves a price is told, and nothing false is; `EDITS=50 SEED=…`
	@seed=$${SEED:-$$(( $$(date +%s) % 1000000 ))}; echo "seed $$seed"; \
	  TOLD_EDITS=$(or $(EDITS),all) SEED=$$seed $(vitest) --reporter=verbose $(addprefix test/rates/diff/, \
	    told-everywhere.test.ts every-field.test.ts words-only.test.ts true.test.ts)

# The values of production want a key; helm lint takes a chart that refuses to render for a good one.
A_KEY := AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA

.PHONY: verify
verify: node_modules/.package-lock.json ## Types, lint, generated files, rate sets, charts
	PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent types
	PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent lint
	$(NODE) crds/generate.ts --check
	$(NODE) cli/main.ts lint
	$(NODE) cli/main.ts coverage --check docs/coverage.md
	$(NODE) cli/main.ts coverage --published --check docs/published-examples.md
	@helm=$$($(NODE) tools/binaries/main.ts helm | cut -d' ' -f2) && for values in charts/driveaway/environments/*.yaml; do \
	  echo "helm lint --values $$values" && $$helm lint --quiet --strict --kube-version 1.34.0 charts/driveaway --values $$values --set image.registry=registry.example \
	    --set-json 'promotion.trustedKeys=[{"kty":"OKP","crv":"Ed25519","x":"$(A_KEY)","kid":"staging-1","environment":"staging"}]' || exit 1; done

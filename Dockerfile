# Two images from one file: `platform` runs the operator, the APIs and the command line; `worker` also has what
# moderation needs. TypeScript runs as it is, so there is nothing to build but the production dependencies.
#
# The base by its digest, which covers every platform; docs/releases.md says how it is renewed. NODE_IMAGE names another.
ARG NODE_IMAGE=node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS platform-dependencies
WORKDIR /app
ARG NPM_CONFIG_REGISTRY
COPY package.json package-lock.json ./
# The classifier and the image decoder are optional dependencies: only the worker carries their weight.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  # Source maps and type declarations are half of it, and nothing reads them at run time.
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
COPY tools/release/third-party.ts tools/release/third-party.ts
COPY tools/release/licenses tools/release/licenses
RUN node tools/release/third-party.ts > THIRD-PARTY-NOTICES.txt

FROM ${NODE_IMAGE} AS worker-dependencies
WORKDIR /app
ARG NPM_CONFIG_REGISTRY
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  # Models that are not loaded, and builds of TensorFlow.js for browsers.
  && rm -r node_modules/nsfwjs/dist/browser node_modules/nsfwjs/dist/models/inception_v3 node_modules/nsfwjs/dist/models/mobilenet_v2_mid \
  && find node_modules/@tensorflow -type f \( -name '*.fesm*' -o -name '*es2017*' -o -name '*.min.js' -o -name '*_test.js' \) -delete
COPY tools/release/third-party.ts tools/release/third-party.ts
COPY tools/release/licenses tools/release/licenses
RUN node tools/release/third-party.ts > THIRD-PARTY-NOTICES.txt

# The programs of the rate explorer's page in one bundle: what bundles them is a development dependency, and stays in this stage.
FROM ${NODE_IMAGE} AS explorer-page
WORKDIR /app
ARG NPM_CONFIG_REGISTRY
COPY package.json package-lock.json ./
COPY tools/node tools/node
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY rates rates
COPY explorer explorer
RUN node explorer/write-bundle.ts

FROM ${NODE_IMAGE} AS base
ENV NODE_ENV=production
WORKDIR /app
# A number, so that Kubernetes can see that it is not root.
USER 65532:65532
ENTRYPOINT ["node"]

FROM base AS worker
COPY --from=worker-dependencies /app/node_modules node_modules
COPY --from=worker-dependencies /app/THIRD-PARTY-NOTICES.txt ./
COPY package.json ./
COPY runtime runtime
COPY rates rates
COPY inventory inventory
COPY notices notices
COPY worker worker
CMD ["worker/main.ts"]

FROM base AS platform
COPY --from=platform-dependencies /app/node_modules node_modules
COPY --from=platform-dependencies /app/THIRD-PARTY-NOTICES.txt ./
COPY package.json ./
COPY runtime runtime
COPY rates rates
COPY inventory inventory
COPY notices notices
COPY crds crds
COPY operator operator
COPY api api
COPY nats-exporter nats-exporter
# Served at /docs/guide.
COPY docs/quickstart.md docs/quickstart.md
COPY backup backup
COPY explorer explorer
COPY --from=explorer-page /app/explorer/page/main.js explorer/page/main.js
COPY cli cli
CMD ["cli/main.ts"]

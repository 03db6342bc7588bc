# One stage builds from the sources, another runs the result. The image contains Node, dist/, docs/, the scenarios and
# the packages that run, but no compiler.

# The build is the same for every processor, so it runs on the native one, not on an emulated one.
# By exact version. Anyone who publishes the image can add the digest of the base that the registry shows.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Without scripts: `prepare` would build before the sources are copied.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  # Neither Node nor a person reads these in a container.
  && find dist node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' \) -delete \
  && find node_modules -type f -name '*.md' -delete \
  # Copies of modules for browsers and for `require`, which nothing loads.
  && rm -r node_modules/yaml/browser node_modules/@modelcontextprotocol/sdk/dist/cjs \
  # A web framework for MCP over HTTP: the sandbox serves MCP on stdin and stdout only.
  && rm -r node_modules/hono \
  # Names in other languages: the sandbox uses English ones.
  && find node_modules/@faker-js/faker/dist -name '*-*.js' ! -name 'base-*' ! -name 'en-*' -delete

FROM node:24.21.0-bookworm-slim AS init
RUN apt-get update && apt-get install -y --no-install-recommends 'tini=0.19.0-1*'

FROM node:24.21.0-bookworm-slim
ARG VERSION=dev
ARG REVISION=unknown
# The publisher adds the address of the sources and the build time with `docker build --label`.
LABEL org.opencontainers.image.title="messaging-sandbox" \
      org.opencontainers.image.description="A local sandbox server that stands in for a business messaging service." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="node:24.21.0-bookworm-slim" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# Node forwards signals but does not reap orphans, which `exec -- CMD` and `docker exec` may leave. 24 kB.
COPY --from=init /usr/bin/tini /usr/bin/tini
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY --from=build /build/scenarios ./scenarios
COPY --from=build /build/docs ./docs
# Volumes inherit this owner, so that the unprivileged user can write to them.
RUN install -d -o 10001 -g 10001 /data /scenarios dist/compiled \
  # On the path, so that `docker exec CONTAINER messaging-sandbox clock advance 24h` works.
  && chmod +x dist/cli/main.js && ln -s /app/dist/cli/main.js /usr/local/bin/messaging-sandbox
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/dist/compiled \
    SANDBOX_HOST=0.0.0.0 \
    MESSAGING_SANDBOX_IMAGE=1
# In memory by default. To keep accounts across restarts, run with `-e SANDBOX_DATA=/data -v sandbox:/data`.
VOLUME ["/data", "/scenarios"]
USER 10001:10001
# A start on a free port stores what V8 compiles. V8 stores it per user, so this user has to start it.
RUN node dist/cli/main.js exec -- true && test -n "$(ls dist/compiled)"
EXPOSE 4242
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s --start-period=10s --start-interval=1s \
  CMD ["node", "/app/dist/cli/main.js", "readyz"]
# -s also reaps when another program is process 1 (`docker run --init`, a pod that shares its processes).
ENTRYPOINT ["tini", "-s", "--", "node", "/app/dist/cli/main.js"]
CMD ["start"]

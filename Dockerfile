# One stage builds from the sources, another runs the bundle. The image contains Node, dist/, docs/ and the scenarios,
# but neither the compiler nor node_modules (the bundle includes what it needs).

# The bundle is the same for every processor, so it is built on the native one, not on an emulated one.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Without scripts: `prepare` would build before the sources are copied.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build -- --no-types && find dist -name '*.map' -delete

FROM node:24-bookworm-slim AS init
RUN apt-get update && apt-get install -y --no-install-recommends tini

FROM node:24-bookworm-slim
ARG VERSION=dev
ARG REVISION=unknown
# The publisher adds the address of the sources and the build time with `docker build --label`.
LABEL org.opencontainers.image.title="messaging-sandbox" \
      org.opencontainers.image.description="A local sandbox server that stands in for a business messaging service." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="node:24-bookworm-slim" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# Node forwards signals but does not reap orphans, which `exec -- CMD` and `docker exec` may leave. 24 kB.
COPY --from=init /usr/bin/tini /usr/bin/tini
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/dist ./dist
COPY --from=build /build/scenarios ./scenarios
COPY --from=build /build/docs ./docs
# Volumes inherit this owner, so that the unprivileged user can write to them.
RUN install -d -o 10001 -g 10001 /data /scenarios dist/compiled \
  # On the path, so that `docker exec CONTAINER messaging-sandbox clock advance 24h` works.
  && chmod +x dist/cli/main.js && ln -s /app/dist/cli/main.js /usr/local/bin/messaging-sandbox
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/dist/compiled \
    SANDBOX_HOST=0.0.0.0
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

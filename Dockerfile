# Built from the sources in one stage, run from the bundle in another: the image holds Node, dist/ and the scenarios,
# and neither the compiler nor node_modules (the bundle contains what it needs of them).
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Without scripts: `prepare` would build before the sources are there.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && rm -rf dist/types && find dist -name '*.map' -delete

FROM node:24-bookworm-slim
ARG VERSION=dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="messaging-sandbox" \
      org.opencontainers.image.description="A local sandbox server that stands in for a business messaging service." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/dist ./dist
COPY --from=build /build/scenarios ./scenarios
# Anonymous volumes take their owner from here, so that the unprivileged user can write to them.
RUN install -d -o 10001 -g 10001 /data /scenarios
ENV NODE_ENV=production \
    SANDBOX_HOST=0.0.0.0
# In memory unless asked: run with `-e SANDBOX_DATA=/data -v sandbox:/data` to keep accounts over a restart.
VOLUME ["/data", "/scenarios"]
USER 10001:10001
EXPOSE 4242
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s --start-period=10s --start-interval=1s \
  CMD ["node", "/app/dist/cli/main.js", "readyz"]
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
CMD ["start"]

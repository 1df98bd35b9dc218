# The lock file pins the packages; these tags pin the base images.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
COPY scripts/ensure-bun.mjs scripts/compile.ts scripts/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json server.ts ./
COPY lib lib
COPY adapters adapters
COPY domains domains
COPY testing testing
COPY dashboard dashboard
COPY settings settings
COPY backup backup
COPY transfer transfer
COPY server server
COPY cli cli
# The pages that the dashboard shows at /help.
COPY docs docs
# What `petstore version` shows: docker build --build-arg PETSTORE_COMMIT=… --build-arg PETSTORE_COMMIT_TIME=…
ARG PETSTORE_COMMIT=
ARG PETSTORE_COMMIT_TIME=
RUN npm run compile && mkdir /data

# The executable contains everything except glibc.
FROM debian:12.12-slim
LABEL org.opencontainers.image.title="petstore" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /source/dist/petstore /usr/local/bin/petstore
COPY NOTICE /usr/local/share/doc/petstore/NOTICE
# A volume created from one of these directories belongs to the same user. Everything else can be read-only.
COPY --from=build --chown=65532:65532 --chmod=0700 /data /data
# A place for backups, if a volume is mounted there.
COPY --from=build --chown=65532:65532 --chmod=0700 /data /backups
USER 65532:65532
ENV PETSTORE_DATA_DIR=/data \
    PETSTORE_LISTEN=:8080 \
    PETSTORE_STAGING_LISTEN=:8081
VOLUME /data
EXPOSE 8080 8081
# A shutdown takes at most 30 seconds: docker stop --timeout 40.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["/usr/local/bin/petstore", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/petstore"]
CMD ["serve"]

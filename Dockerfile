# The Countersign server. Build: docker build -t countersign .
# Pin the base image by its digest: docker build --build-arg NODE_DIGEST=@sha256:… .
ARG NODE_IMAGE=docker.io/library/node:24.21.0-trixie-slim
ARG NODE_DIGEST=

FROM ${NODE_IMAGE}${NODE_DIGEST} AS build
WORKDIR /build
COPY . .
RUN npm run pack
RUN npm install --global --prefix /opt/countersign --no-audit --no-fund /build/tarballs/countersign-server-*.tgz

FROM ${NODE_IMAGE}${NODE_DIGEST}
ARG VERSION=0.4.0
ARG REVISION=
LABEL org.opencontainers.image.title="Countersign" \
      org.opencontainers.image.description="Self-hosted identity verification for people (KYC) and businesses (KYB)" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# `countersign backup` runs pg_dump, which must not be older than the database server.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends postgresql-client \
 && rm -rf /var/lib/apt/lists/*
# Docker gives a new volume the owner of the folder that it covers.
RUN install --directory --owner 10001 --group 10001 --mode 0700 /data /evidence /erasures
COPY --from=build /opt/countersign /opt/countersign
ENV PATH=/opt/countersign/bin:$PATH \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    EVIDENCE_URL=file:/evidence \
    ERASURE_LOG_URL=file:/erasures
USER 10001:10001
VOLUME ["/data", "/evidence", "/erasures"]
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The exec form: node is process 1 and receives SIGTERM itself.
ENTRYPOINT ["countersign"]
CMD ["serve"]

# Serve on port 8000:       docker run IMAGE
# Serve on another port:    docker run IMAGE --port 9000
# Serve a local agent:      docker run --interactive IMAGE mcp
# Run a command:            docker run --interactive IMAGE hash sha256 < FILE
# Settings are environment variables. Process 1 is `tini`, because Deno as process 1 ignores
# signals that it doesn't handle, or crashes.
FROM denoland/deno:2.9.6@sha256:2014dc167ece617ef7e7ba40631ac2234c59e75ce693e7cc2dc2602b3c87859d

LABEL org.opencontainers.image.title="Developer Utilities" \
  org.opencontainers.image.description="Base64, hashes, UUIDs, passwords, and JSON over HTTP" \
  org.opencontainers.image.licenses="MIT"

ENV NO_COLOR=1 DENO_NO_UPDATE_CHECK=1
WORKDIR /app
USER deno

COPY deno.json deno.lock main.ts ./
COPY lib ./lib
COPY routes ./routes
COPY web ./web
COPY tools/healthy.sh ./tools/healthy.sh
RUN ["deno", "install", "--entrypoint", "main.ts"]

EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["bash", "tools/healthy.sh"]

ENTRYPOINT ["/tini", "--", "deno", "run", "--cached-only", "--no-prompt", "--allow-net=0.0.0.0,127.0.0.1,localhost,[::],[::1]", "--allow-env=PORT,HOST,MAX_BODY_BYTES,BODY_TIMEOUT_MS,LOG_REQUESTS", "main.ts"]

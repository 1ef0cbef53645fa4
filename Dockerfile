# Serves on port 8000; settings come as environment variables.
FROM denoland/deno:2.9.6

WORKDIR /app
COPY deno.json deno.lock imports.json main.ts parallel.ts worker.ts ./
COPY lib ./lib
COPY routes ./routes
COPY web ./web

USER deno
RUN ["deno", "cache", "main.ts", "parallel.ts", "worker.ts"]

EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s \
  CMD ["deno", "eval", "Deno.exit((await fetch(`http://127.0.0.1:${Deno.env.get('PORT') ?? 8000}/healthz`)).ok ? 0 : 1)"]

ENTRYPOINT ["deno"]
CMD ["run", "--cached-only", "--no-prompt", "--v8-flags=--heap-growing-percent=20,--max-semi-space-size=8", "--allow-net=0.0.0.0,127.0.0.1,localhost,[::],[::1]", "--allow-env=PORT,HOST,MAX_BODY_BYTES,BODY_TIMEOUT_MS,LOG_REQUESTS", "main.ts"]

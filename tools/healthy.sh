#!/usr/bin/env bash
# Health check of the image. Fails unless GET /healthz of process 1 returns status 200.
# Argument, for tests: a file to read instead of /proc/1/cmdline. Bash sends the request,
# because a Deno process would need 40 MB each time, and an HTTP client would use the
# proxy variables.
set -euo pipefail

port=${PORT:-8000}
host=${HOST:-0.0.0.0}
mapfile -d '' -t words <"${1:-/proc/1/cmdline}"
for i in "${!words[@]}"; do
  case ${words[i]} in
    --port=*) port=${words[i]#*=} ;;
    --port) port=${words[i + 1]} ;;
    --host=*) host=${words[i]#*=} ;;
    --host) host=${words[i + 1]} ;;
    mcp) exit 0 ;; # Doesn't listen on a port.
  esac
done

host=${host#[}
host=${host%]}
case $host in
  0.0.0.0) host=127.0.0.1 ;;
  ::) host=::1 ;;
esac

exec 3<>"/dev/tcp/$host/$port"
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 2 _ status _ <&3
[[ $status == 200 ]]
